/** Format of lease files, and detection of dead owners. */

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { tryParseJson } from "../../core/json.ts";
import type { Platform } from "./platform.ts";

export interface LeaseOwner {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly start: string;
  /** For display only. */
  readonly hostName: string;
  /** Distinguishes leases of one process. */
  readonly nonce: string;
  /** Held for moments only: others wait for it. Older Forges see a lease like any other. */
  readonly isBrief?: true;
}

/** `torn`: truncated by a power loss, or still being written. */
export type LeaseContent =
  { readonly kind: "held"; readonly owner: LeaseOwner } | { readonly kind: "released" } | { readonly kind: "torn" };

/** `unknown`: the owner is on another host. */
export type OwnerState = "alive" | "dead" | "unknown";

const PREFIX = "lease.";

/** Generations start at 1. */
export function leaseName(generation: number): string {
  return PREFIX + String(generation);
}

/** More than are ever taken: a name with a higher one is not a lease, and nothing could be taken after it. */
const MOST_GENERATIONS = 1_000_000_000_000;

/** Highest first. */
export function generationsIn(names: readonly string[]): readonly number[] {
  return names
    .filter((name) => /^lease\.\d+$/.test(name))
    .map((name) => Number(name.slice(PREFIX.length)))
    .filter((generation) => generation < MOST_GENERATIONS)
    .sort((a, b) => b - a);
}

/** This process as the owner of a new lease. */
export async function createOwner(platform: Platform, isBrief = false): Promise<LeaseOwner> {
  const [host, boot, start = ""] = await Promise.all([
    platform.hostId(),
    platform.bootId(),
    platform.startTime(process.pid),
  ]);
  const owner = { host, boot, pid: process.pid, start, hostName: hostname(), nonce: randomUUID() };
  return isBrief ? { ...owner, isBrief } : owner;
}

export function serializeOwner(owner: LeaseOwner): string {
  return JSON.stringify(owner);
}

export const RELEASED_TEXT = JSON.stringify({ released: true });

export function parseLease(text: string): LeaseContent {
  const value = tryParseJson(text);
  if (typeof value !== "object" || value === null) return { kind: "torn" };
  if ("released" in value && value.released === true) return { kind: "released" };
  const { host, boot, pid, start, hostName, nonce, isBrief }: Partial<Record<keyof LeaseOwner, unknown>> = value;
  if (typeof host !== "string" || typeof boot !== "string" || typeof pid !== "number" || typeof start !== "string") {
    return { kind: "torn" };
  }
  const owner = { host, boot, pid, start, hostName: textIn(hostName), nonce: textIn(nonce) };
  return { kind: "held", owner: isBrief === true ? { ...owner, isBrief } : owner };
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const releasedNonces = new Set<string>();

/** Marks a lease of this process as released, even if its file cannot be updated. */
export function markReleased(nonce: string): void {
  releasedNonces.add(nonce);
}

/** A live owner, even one that hangs, is never reported dead before it has released the lease. */
export async function ownerState(owner: LeaseOwner, platform: Platform): Promise<OwnerState> {
  if (releasedNonces.has(owner.nonce)) return "dead";
  if (owner.host !== (await platform.hostId())) return "unknown";
  if (owner.boot !== (await platform.bootId())) return "dead"; // the machine was rebooted since
  const start = await platform.startTime(owner.pid);
  if (start === undefined) return "dead";
  // If the start time cannot be determined, the process may be the owner.
  return start === owner.start || start === "" || owner.start === "" ? "alive" : "dead";
}
