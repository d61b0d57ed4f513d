/** Common form of the conversations of other tools: what every reader makes, and what becomes records. */

import type { ToolCallId } from "../../ids.ts";
import type { AttachmentPart, ImagePart, Message, MessageState, Part } from "../../message.ts";
import { LATEST_MS, type LocatedValue } from "../documentReader.ts";
import type { DamagedLines } from "./damagedLines.ts";

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
  /** Pictures and documents that tool results contain. */
  readonly resultFiles?: readonly ResultFile[];
  readonly usage?: ForeignUsage;
  readonly durationMs?: number;
  /** Place in the tree of branches. Absent: it follows the message before it. */
  readonly node?: ForeignNode;
  /** Of a sub-agent: a branch that is never the live one. */
  readonly isAside?: true;
  /** Inserted by the tool beside the branches: what follows its parent follows it. */
  readonly isInserted?: true;
  /** The message is the tool's summary of others, which it sent instead of them. */
  readonly compacts?: Compaction;
}

/** Messages of its branch that a compaction stands for, by nodes; with `{}`, all that was said before it. */
export interface Compaction {
  /** The message before the first one; `null`: there is none. Absent: the first one of its agent. */
  readonly after?: string | null;
  /** Absent: the message before the compaction. */
  readonly last?: string;
}

export interface ForeignNode {
  /** Unique in the file. */
  readonly key: string;
  /** Key of its parent, which need not be a message; `null`: it begins the conversation. */
  readonly follows: string | null;
}

export interface ResultFile {
  readonly callId: string;
  readonly part: ImagePart | AttachmentPart;
}

/** What one answer was billed. */
export interface ForeignUsage {
  /** Includes both kinds of cached tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd?: number;
}

/** A part whose content is held by a `MessageHolder`. */
export interface HeldPart {
  readonly kind: Part["kind"];
  /** Of a call or a result. */
  readonly callId?: ToolCallId;
  /** Absent for a result that the file does not contain. */
  readonly place?: number;
}

export interface HeldFile {
  readonly callId: string;
  readonly part: HeldPart;
}

export interface HeldMessage extends Omit<ForeignMessage, "message" | "resultFiles"> {
  readonly role: Message["role"];
  readonly parts: readonly HeldPart[];
  readonly resultFiles?: readonly HeldFile[];
}

/** Messages are oldest first. */
export interface ForeignConversation {
  /** Empty when there is none. */
  readonly title: string;
  readonly titleBy?: "user";
  readonly messages: readonly HeldMessage[];
  /** Parents of what is in the tree but no message. */
  readonly links?: ReadonlyMap<string, string | null>;
  /** Node of the message that the live branch ends with. Absent: the last message. */
  readonly current?: string;
  readonly damaged?: DamagedLines;
  readonly source?: ForeignSource;
}

/** The conversation in its own tool. */
export interface ForeignSource {
  /** Id of the session; empty when the file has none. */
  readonly id: string;
  /** Folder that was worked in; empty when unknown. */
  readonly project: string;
  /** The whole file is of a sub-agent. */
  readonly isSubAgent?: true;
}

/** From a record that may have the id and the folder. */
export function sourceIn(record: LocatedValue, idField: string, projectField: string): ForeignSource {
  const text = (name: string): string => optionalText(optionalField(record, name));
  return { id: text(idField), project: text(projectField) };
}

/** A field that may be missing, with any others beside it. */
export function optionalField({ value, path }: LocatedValue, name: string): LocatedValue {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const found: unknown = isObject && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
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

/** 0 for anything but a whole number of tokens. */
export function optionalCount({ value }: LocatedValue): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= MOST_TOKENS ? value : 0;
}

const MOST_TOKENS = 1_000_000_000;

/** Items of a list; none for anything else. */
export function optionalItems({ value, path }: LocatedValue): readonly LocatedValue[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map((item, index) => ({ value: item, path: `${path}[${String(index)}]` }));
}
