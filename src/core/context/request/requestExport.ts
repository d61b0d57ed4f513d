/**
 * Exports a conversation as one request to a service, for whatever speaks its API: what the chat shows, in the original
 * and never as a summary. Written message by message, so that the conversation is never in memory as a whole.
 *
 * Thinking is left out: services accept it only after exactly what it was thought about, and some not at all.
 */

import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { ForgeError } from "../../errors.ts";
import { withoutExcluded } from "../../history/exclusion.ts";
import { readAnswers } from "../../history/readAnswers.ts";
import type { ReadContents } from "../../history/readPages.ts";
import type { MessageId } from "../../ids.ts";
import type { HistoryEntry, Message } from "../../message.ts";
import { modelName } from "../../models/modelName.ts";
import { ok, type Result } from "../../result.ts";
import { wellFormed } from "../../wellFormed.ts";
import type { ContextManager } from "../contextManager.ts";
import { wellFormedMessage } from "./preparedContext.ts";
import type { ToolDefinition } from "./requestOverhead.ts";
import { ToolPairs } from "./toolPairs.ts";

/** Writes one request in the form of a service. Each method returns the JSON that follows. */
export interface RequestWriter {
  begin(head: RequestHead): string;
  /** Every call has its result in the next message, and every result its call in the one before. */
  add(message: Message): string;
  /** `tools` are at least those that were called. */
  end(tools: readonly ToolDefinition[]): string;
}

/** Beginning of a request. */
export interface RequestHead {
  /** The conversation's now, of whatever service. */
  readonly model: string;
  readonly maxOutputTokens: number;
  /** Empty: none. */
  readonly systemPrompt: string;
}

export interface RequestOutline {
  readonly head: RequestHead;
  readonly tools: readonly ToolDefinition[];
  /** Oldest first. */
  readonly visible: readonly HistoryEntry[];
}

/** Snapshot of what is exported. The conversation must not change between two steps of this task. */
export function* requestOutline(manager: ContextManager): CooperativeTask<RequestOutline> {
  const { history, overhead, model, limits } = manager;
  const { systemPrompt, tools } = wellFormed(overhead);
  const head = { model: modelName(model), maxOutputTokens: limits.maxOutput, systemPrompt };
  const visible: HistoryEntry[] = [];
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const entry of history.entries) {
    if (slice.isOver(1)) yield;
    if (history.isVisible(entry)) visible.push(entry);
  }
  return { head, tools, visible };
}

/** Passes the request to `write` in chunks; stops at the first message that cannot be read. */
export async function exportRequest(
  { head, tools, visible }: RequestOutline,
  writer: RequestWriter,
  readContents: ReadContents,
  write: (piece: string) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  await write(writer.begin(head));
  const pairs = new ToolPairs();
  const called = new Set<string>();
  const written = (messages: Iterable<Message>): string => {
    const pieces: string[] = [];
    for (const message of messages) {
      for (const part of message.parts) if (part.kind === "toolCall") called.add(part.name);
      pieces.push(writer.add(message));
    }
    return pieces.join("");
  };
  const read = await readAnswers(visible, withoutExcludedParts(visible, readContents), (page) =>
    write(page.map(({ message }) => written(pairs.add(sendable(message)))).join("")),
  );
  if (!read.ok) return read;
  await write(written(pairs.end()) + writer.end([...tools, ...unknownTools(tools, called)]));
  return ok(undefined);
}

/** Messages that the user took out of requests are in no exported request either. */
function withoutExcludedParts(entries: readonly HistoryEntry[], readContents: ReadContents): ReadContents {
  const excluded = new Map<MessageId, HistoryEntry["leftOut"]>();
  for (const { id, leftOut } of entries) if (leftOut !== undefined) excluded.set(id, leftOut);
  return async (ids) => {
    const read = await readContents(ids);
    if (!read.ok) return read;
    return ok(
      read.value.map((message, index) => {
        const id = ids[index];
        return id === undefined ? message : withoutExcluded(message, excluded.get(id));
      }),
    );
  };
}

function sendable(message: Message): Message {
  return wellFormedMessage({ ...message, parts: message.parts.filter(({ kind }) => kind !== "thinking") });
}

/** Services refuse calls of tools that a request does not define. */
function unknownTools(tools: readonly ToolDefinition[], called: ReadonlySet<string>): readonly ToolDefinition[] {
  const known = new Set(tools.map(({ name }) => name));
  return [...called]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, description: NOT_DEFINED, inputSchemaJson: "{}" }));
}

const NOT_DEFINED = "Was called in this conversation; how it is defined is not known.";
