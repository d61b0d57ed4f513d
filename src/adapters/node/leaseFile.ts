/** What stands in a lease file, and what follows from it. */

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { jsonIn } from "../../core/json.ts";
import type { Platform } from "./platform.ts";

/** A process that holds, or held, a folder. */
export interface LeaseOwner {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly start: string;
  /** For the user's eyes. */
  readonly hostName: string;
  /** Tells two leases of one process apart. */
  readonly nonce: string;
}

/** What a lease file says. `torn`: it was cut off by a power loss, or it is just being written. */
export type LeaseContent =
  { readonly kind: "held"; readonly owner: LeaseOwner } | { readonly kind: "released" } | { readonly kind: "torn" };

/** Whether an owner lives. `unknown`: it is on another host, where nobody here can tell. */
export type OwnerState = "alive" | "dead" | "unknown";

const PREFIX = "lease.";

/** Names of the lease files, generation 1, 2, 3, …. */
export function leaseName(generation: number): string {
  return PREFIX + String(generation);
}

/** The generations among a folder's names, highest first. */
export function generationsIn(names: readonly string[]): readonly number[] {
  return names
    .filter((name) => /^lease\.\d+$/.test(name))
    .map((name) => Number(name.slice(PREFIX.length)))
    .sort((a, b) => b - a);
}

/** This process as an owner, of one lease. */
export async function ownOwner(platform: Platform): Promise<LeaseOwner> {
  const [host, boot, start = ""] = await Promise.all([
    platform.hostId(),
    platform.bootId(),
    platform.startTime(process.pid),
  ]);
  return { host, boot, pid: process.pid, start, hostName: hostname(), nonce: randomUUID() };
}

/** Writes the text of a lease that is held by `owner`. */
export function heldText(owner: LeaseOwner): string {
  return JSON.stringify(owner);
}

/** The text of a lease that was given back. */
export const RELEASED_TEXT = JSON.stringify({ released: true });

/** Reads a lease file. */
export function parseLease(text: string): LeaseContent {
  const value = jsonIn(text);
  if (typeof value !== "object" || value === null) return { kind: "torn" };
  if ("released" in value && value.released === true) return { kind: "released" };
  const { host, boot, pid, start, hostName, nonce }: Partial<Record<keyof LeaseOwner, unknown>> = value;
  if (typeof host !== "string" || typeof boot !== "string" || typeof pid !== "number" || typeof start !== "string") {
    return { kind: "torn" };
  }
  return { kind: "held", owner: { host, boot, pid, start, hostName: textIn(hostName), nonce: textIn(nonce) } };
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const givenBack = new Set<string>();

/** This process has given a lease back, whether or not the disk lets the file say so. */
export function noteGivenBack(nonce: string): void {
  givenBack.add(nonce);
}

/** Judges an owner. One that lives, even if it hangs, is never called dead before it has given the lease back. */
export async function ownerState(owner: LeaseOwner, platform: Platform): Promise<OwnerState> {
  if (givenBack.has(owner.nonce)) return "dead";
  if (owner.host !== (await platform.hostId())) return "unknown";
  if (owner.boot !== (await platform.bootId())) return "dead"; // the machine was started anew since
  const start = await platform.startTime(owner.pid);
  if (start === undefined) return "dead";
  // Where nobody can tell since when a process lives, it may be the owner.
  return start === owner.start || start === "" || owner.start === "" ? "alive" : "dead";
}
