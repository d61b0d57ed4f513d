/** Common form of conversations that other tools have exported. */

import type { Message, MessageState } from "../../message.ts";
import { LATEST_MS, type LocatedValue } from "../documentReader.ts";

/** Tool results may appear anywhere after their calls. */
export interface ForeignMessage {
  readonly message: Message;
  /** 0 when unknown. */
  readonly createdAtMs: number;
  readonly state: MessageState;
  /** Empty when unknown. */
  readonly model: string;
  /** The exporting tool's own id, shared by the pieces of one answer. */
  readonly id: string;
}

/** Messages are oldest first. */
export interface ForeignConversation {
  /** Empty when there is none. */
  readonly title: string;
  readonly messages: readonly ForeignMessage[];
}

/** A field that may be missing, with any others beside it. */
export function optionalField({ value, path }: LocatedValue, name: string): LocatedValue {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const found: unknown = isObject ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;
  return { value: found, path: `${path}.${name}` };
}

/** Empty when the value is missing or no string. */
export function optionalText(place: LocatedValue): string {
  return typeof place.value === "string" ? place.value : "";
}

/** Milliseconds since 1970, from a number or ISO 8601; 0 for anything that is no moment. */
export function optionalTimeMs({ value }: LocatedValue): number {
  const atMs = typeof value === "string" ? Date.parse(value) : value;
  return typeof atMs === "number" && atMs > 0 && atMs <= LATEST_MS ? Math.floor(atMs) : 0;
}
