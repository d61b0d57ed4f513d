/**
 * claude.ai's export (`conversations.json`): each conversation is a tree of messages. One answer of the model contains
 * all it did: text, thinking, calls and their results, in order; it becomes a step for each round of calls.
 */

import { toolCallId, type ToolCallId } from "../../../ids.ts";
import { boundedJson } from "../../../json.ts";
import type { Part } from "../../../message.ts";
import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { DamagedLines } from "../damagedLines.ts";
import {
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
  type ResultFile,
  sourceIn,
} from "../foreignConversation.ts";
import { isObjectWith, type ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { readContent } from "./messagesApi.ts";
import { bytesIn, missingFile } from "./referredFiles.ts";
import { conversationsIn } from "./severalConversations.ts";

export function isClaudeAi(value: unknown): boolean {
  return isObjectWith(value, "chat_messages");
}

export function readClaudeAi(file: ForeignFile, holder: MessageHolder): Iterable<ForeignConversation> {
  return conversationsIn(file, (record) => {
    const given = optionalField(record, "chat_messages");
    if (!Array.isArray(given.value)) return undefined;
    const damaged = new DamagedLines();
    const messages: HeldMessage[] = [];
    const links = new Map<string, string | null>();
    const model = optionalText(optionalField(record, "model"));
    for (const place of file.long.items(given)) {
      const read = new DocumentReader();
      const made = messagesOf(read, place, model);
      if (read.fault !== undefined) damaged.add({ line: record.line, text: boundedJson(place.value) }, read.fault);
      else if (made.length === 0) links.set(optionalText(optionalField(place, "uuid")), parentOf(place));
      messages.push(...(read.fault === undefined ? made : []).map((message) => holder.hold(message)));
    }
    const current = optionalText(optionalField(record, "current_leaf_message_uuid"));
    const title = optionalText(optionalField(record, "name"));
    const source = sourceIn(record, "uuid", "");
    return { title, messages, links, ...(current === "" ? {} : { current }), damaged, source };
  });
}

const NO_PARENT = "00000000-0000-4000-8000-000000000000";

function parentOf(message: LocatedValue): string | null {
  const parent = optionalText(optionalField(message, "parent_message_uuid"));
  return parent === "" || parent === NO_PARENT ? null : parent;
}

/** The message, or the steps of an answer, of which the last one has the id of the message. */
function messagesOf(read: DocumentReader, place: LocatedValue, model: string): readonly ForeignMessage[] {
  const isUser = read.word(optionalField(place, "sender"), ["human", "assistant"]) === "human";
  const uuid = optionalText(optionalField(place, "uuid"));
  const about = { createdAtMs: optionalTimeMs(optionalField(place, "created_at")), state: "complete", id: "" } as const;
  const steps = stepsOf(read, place, uuid).filter(({ parts }) => parts.length > 0);
  if (read.fault !== undefined) return [];
  const hasParents = uuid !== "" && optionalField(place, "parent_message_uuid").value !== undefined;
  const keyOf = (step: number): string => (step === steps.length - 1 ? uuid : `${uuid} ${step}`);
  return steps.map(({ parts, files }, step) => ({
    ...about,
    message: { role: isUser ? "user" : "assistant", parts },
    state: step === steps.length - 1 && isStopped(place) ? "cancelled" : "complete",
    model: isUser ? "" : model,
    ...(hasParents ? { node: { key: keyOf(step), follows: step === 0 ? parentOf(place) : keyOf(step - 1) } } : {}),
    ...(files.length === 0 ? {} : { resultFiles: files }),
  }));
}

function isStopped(message: LocatedValue): boolean {
  return (
    optionalField(message, "sender").value === "assistant" &&
    optionalField(message, "stop_reason").value === "user_canceled"
  );
}

interface Step {
  readonly parts: Part[];
  readonly files: ResultFile[];
}

function stepsOf(read: DocumentReader, place: LocatedValue, uuid: string): readonly Step[] {
  const steps: Step[] = [{ parts: [], files: [] }];
  /** Calls of which the result is still to come. */
  const open: ToolCallId[] = [];
  let made = 0;
  let step = steps[0] ?? { parts: [], files: [] };
  for (const block of optionalItems(optionalField(place, "content"))) {
    const { parts, resultFiles } = readContent(read, { value: [withIds(block)], path: place.path });
    for (const part of parts) {
      const isAnswered = step.parts.some(({ kind }) => kind === "toolResult");
      if (part.kind !== "toolResult" && isAnswered) steps.push((step = { parts: [], files: [] }));
      if (part.kind === "toolCall") {
        const callId = part.callId === "" ? toolCallId(`${uuid} call ${made++}`) : part.callId;
        open.push(callId);
        step.parts.push({ ...part, callId });
      } else if (part.kind === "toolResult") {
        const at = Math.max(0, part.callId === "" ? 0 : open.indexOf(part.callId));
        const [callId = part.callId] = open.splice(at, 1);
        step.parts.push({ ...part, callId: part.callId === "" ? callId : part.callId });
        step.files.push(...resultFiles.map((file) => ({ ...file, callId: part.callId === "" ? callId : part.callId })));
      } else step.parts.push(part);
    }
  }
  const text = optionalText(optionalField(place, "text"));
  // Older exports have the text alone.
  if (steps.every(({ parts }) => parts.length === 0) && text !== "") step.parts.push({ kind: "text", text });
  step.parts.push(...filesOf(place));
  return steps;
}

/** Older exports name neither the call nor its result; what else has an answer is kept for its text. */
function withIds({ value, path }: LocatedValue): unknown {
  const type = optionalText(optionalField({ value, path }, "type"));
  if (type === "token_budget") return { type: "redacted_thinking" };
  const name = type === "tool_use" ? "id" : type === "tool_result" ? "tool_use_id" : undefined;
  if (name === undefined || typeof value !== "object" || typeof Reflect.get(value ?? {}, name) === "string")
    return value;
  return { ...value, [name]: "" };
}

/** Pasted text and documents as the text that was taken out of them; pictures only by name. */
function filesOf(message: LocatedValue): readonly Part[] {
  const attachments = optionalItems(optionalField(message, "attachments")).map((file): Part => {
    const label = optionalText(optionalField(file, "file_name")) || "pasted text";
    const text = optionalText(optionalField(file, "extracted_content"));
    const kind = optionalText(optionalField(file, "file_type")) || "file";
    if (text === "") return missingFile(label, kind, bytesIn(optionalField(file, "file_size").value));
    return { kind: "attachment", label, text };
  });
  const files = new Map<string, Part>();
  for (const name of ["files", "files_v2"]) {
    for (const file of optionalItems(optionalField(message, name))) {
      const label = optionalText(optionalField(file, "file_name")) || "file";
      const kind = optionalText(optionalField(file, "file_kind")) || "file";
      files.set(optionalText(optionalField(file, "file_uuid")) || label, missingFile(label, kind));
    }
  }
  return [...attachments, ...files.values()];
}
