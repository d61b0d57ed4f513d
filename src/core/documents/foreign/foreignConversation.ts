/** A conversation that another tool has written, as far as Forge knows what it says. */

import type { Message, MessageState } from "../../message.ts";
import type { Place } from "../documentReader.ts";

/** One of its messages. Calls and their results may stand anywhere behind each other. */
export interface ForeignMessage {
  readonly message: Message;
  /** 0 where the tool did not note it. */
  readonly createdAtMs: number;
  readonly state: MessageState;
  /** The model that wrote it; empty where it is not known. */
  readonly model: string;
  /** What the tool calls the message; pieces of one answer have the same. */
  readonly id: string;
}

/** All of it, oldest message first. */
export interface ForeignConversation {
  /** Empty where the tool gave none. */
  readonly title: string;
  readonly messages: readonly ForeignMessage[];
}

/** The place of a field that may be missing, and beside which there may be any others. */
export function fieldOf({ value, path }: Place, name: string): Place {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const found: unknown = isObject ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;
  return { value: found, path: `${path}.${name}` };
}

/** A text that may be missing, or be something else. */
export function textIn(place: Place): string {
  return typeof place.value === "string" ? place.value : "";
}

/** A moment, in milliseconds or as ISO 8601; 0 where it is neither. */
export function momentIn({ value }: Place): number {
  const atMs = typeof value === "string" ? Date.parse(value) : value;
  return typeof atMs === "number" && Number.isFinite(atMs) && atMs > 0 ? Math.floor(atMs) : 0;
}
