/**
 * Turns conversations of other tools into records: each tool call gets exactly one result, directly after it. A faulty
 * document is rejected as a whole.
 */

import { beginningOf } from "../../cutText.ts";
import { tryParseJson } from "../../json.ts";
import { validationError, type ValidationError } from "../../errors.ts";
import { messageId, modelId } from "../../ids.ts";
import {
  textOf,
  type HistoryEntry,
  type Message,
  type Part,
  type TokenCounts,
  type ToolResultPart,
} from "../../message.ts";
import { err, ok, type Result } from "../../result.ts";
import { contentClassOfMessage } from "../../tokens/contentClass.ts";
import { DocumentReader } from "../documentReader.ts";
import { partCountOf } from "../../history/entryRules.ts";
import type { ConversationRecord } from "../../history/records.ts";
import { readEditorChat } from "./editorChat.ts";
import type { ForeignConversation, ForeignMessage } from "./foreignConversation.ts";
import { readClaudeCode, readMessagesList } from "./messagesApi.ts";

/** `undefined` when the format is not recognized. */
export function readForeign(text: string): Result<ForeignConversation, ValidationError> | undefined {
  const read = new DocumentReader();
  const document = tryParseJson(text);
  let found: ForeignConversation;
  if (Array.isArray(document)) found = readMessagesList(read, { value: document, path: "document" });
  else if (isObjectWith(document, "requests")) found = readEditorChat(read, { value: document, path: "document" });
  else if (isClaudeCode(text)) found = readClaudeCode(read, text);
  else return undefined;
  if (read.fault !== undefined) return err(read.fault);
  const isEmpty = found.messages.every(({ message }) => message.parts.length === 0);
  return isEmpty ? err(validationError("document", "none", "at least one message")) : ok(found);
}

/** Records in the order in which they are to be stored. A missing time is that of the message before, or `nowMs`. */
export function foreignRecords(
  { title, messages }: ForeignConversation,
  countTokens: (message: Message) => TokenCounts,
  nowMs: number,
): readonly ConversationRecord[] {
  const records: ConversationRecord[] = [];
  let [turn, batch, atMs] = [messageId(0), messageId(0), 0];
  for (const { message, createdAtMs, state, model } of paired(messages)) {
    const id = messageId(records.length);
    const isResults = message.parts.some(({ kind }) => kind === "toolResult");
    const isBatch = isResults || message.parts.some(({ kind }) => kind === "toolCall");
    if (message.role === "user" && !isResults) turn = id;
    if (isBatch && !isResults) batch = id;
    atMs = createdAtMs === 0 ? atMs || nowMs : createdAtMs;
    const textClass = contentClassOfMessage(message);
    const entry: HistoryEntry = {
      id,
      role: message.role,
      turn,
      state,
      createdAtMs: atMs,
      tokens: countTokens(message),
      ...(textClass === "prose" ? {} : { textClass }),
      ...(isBatch ? { batch, ...partCountOf(message.parts, { id, batch }) } : {}),
      ...(model === "" ? {} : { model: modelId(model) }),
    };
    records.push({ kind: "message", entry, message });
  }
  const name = title.trim() || firstLine(messages);
  if (name !== "")
    records.push({
      kind: "title",
      title: beginningOf(name, LONGEST_TITLE),
      by: "automatic",
      atMs: atMs || nowMs,
    });
  return records;
}

const LONGEST_TITLE = 60;

function isSaid(text: string): boolean {
  return text.trim() !== "";
}

function firstLine(messages: readonly ForeignMessage[]): string {
  const text = messages.map(({ message }) => (message.role === "user" ? textOf(message) : "")).find(isSaid) ?? "";
  return (
    text
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? ""
  );
}

/** Joins the pieces of each answer, and adds results after each one with calls, interrupted where they are missing. */
function paired(messages: readonly ForeignMessage[]): readonly ForeignMessage[] {
  const results = new Map<string, ToolResultPart[]>();
  for (const { message } of messages) {
    for (const part of message.parts) {
      if (part.kind !== "toolResult") continue;
      const known = results.get(part.callId);
      if (known === undefined) results.set(part.callId, [part]);
      else known.push(part);
    }
  }
  return joined(messages).flatMap((one): readonly ForeignMessage[] => {
    const parts = withoutRepeatedCalls(one.message.parts.filter(({ kind }) => kind !== "toolResult"));
    if (parts.length === 0) return [];
    const calls = one.message.role === "assistant" ? parts.filter((part) => part.kind === "toolCall") : [];
    const said = { ...one, message: { role: one.message.role, parts } };
    if (calls.length === 0) return [said];
    const answers = calls.map(({ callId }): ToolResultPart => {
      const answer = results.get(callId)?.shift();
      return answer ?? { kind: "toolResult", callId, outcome: "interrupted", text: "" };
    });
    return [said, { ...one, message: { role: "user", parts: answers }, state: "complete", model: "" }];
  });
}

/** Joins answers written in pieces, with the results of earlier calls between them. */
function joined(messages: readonly ForeignMessage[]): readonly ForeignMessage[] {
  const whole: ForeignMessage[] = [];
  for (const one of messages) {
    const at =
      one.id === "" ? -1 : whole.findLastIndex(({ id, message }) => id === one.id && message.role === "assistant");
    const before = whole[at];
    const isSameAnswer = before !== undefined && one.message.role === "assistant" && at >= whole.length - NEAR;
    if (!isSameAnswer) whole.push(one);
    else {
      const parts = [...before.message.parts, ...one.message.parts];
      whole[at] = { ...before, message: { role: "assistant", parts } };
    }
  }
  return whole;
}

/** Most messages between two pieces of one answer. */
const NEAR = 64;

function withoutRepeatedCalls(parts: readonly Part[]): readonly Part[] {
  const seen = new Set<string>();
  return parts.filter((part) => {
    if (part.kind !== "toolCall") return true;
    const isNew = !seen.has(part.callId);
    seen.add(part.callId);
    return isNew;
  });
}

function isClaudeCode(text: string): boolean {
  const first =
    text
      .slice(0, 200_000)
      .split("\n")
      .find((line) => line.trim() !== "") ?? "";
  const line = tryParseJson(first);
  return isObjectWith(line, "type") && !isObjectWith(line, "version", "messages");
}

function isObjectWith(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === "object" && value !== null && names.every((name) => name in value);
}
