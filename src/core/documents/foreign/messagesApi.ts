/**
 * Conversations in the form of the Messages API: Claude Code's JSON Lines, one piece a line, and Cline's
 * `api_conversation_history.json`, one list.
 */

import { tryParseJson } from "../../json.ts";
import { toolCallId } from "../../ids.ts";
import type { Part } from "../../message.ts";
import type { DocumentReader, LocatedValue } from "../documentReader.ts";
import { userParts, withoutUsersVoice } from "./userParts.ts";
import {
  optionalField,
  optionalTimeMs,
  optionalText,
  type ForeignConversation,
  type ForeignMessage,
} from "./foreignConversation.ts";

export function readMessagesList(read: DocumentReader, list: LocatedValue): ForeignConversation {
  const messages = read.each(list, (place) =>
    withoutUsersVoice(readMessage(read, place, optionalField(place, "ts")), labelOfLine(place)),
  );
  return { title: "", messages };
}

/** Side chains (subagents) and meta lines are skipped. */
export function readClaudeCode(read: DocumentReader, text: string): ForeignConversation {
  const messages: ForeignMessage[] = [];
  let title = "";
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || read.fault !== undefined) continue;
    const place = { value: tryParseJson(line), path: `line ${index + 1}` };
    if (place.value === undefined) read.refuse({ value: line, path: place.path }, "a line of JSON");
    const type = optionalField(place, "type").value;
    if (type === "summary") title ||= optionalText(optionalField(place, "summary"));
    const isNote = optionalField(place, "isSidechain").value === true || optionalField(place, "isMeta").value === true;
    if ((type !== "user" && type !== "assistant") || isNote) continue;
    const message = readMessage(read, optionalField(place, "message"), optionalField(place, "timestamp"));
    messages.push(withoutUsersVoice(message, labelOfLine(place)));
  }
  return { title, messages };
}

function readMessage(read: DocumentReader, place: LocatedValue, moment: LocatedValue): ForeignMessage {
  const role = read.word(optionalField(place, "role"), ["user", "assistant"]);
  const content = optionalField(place, "content");
  const parts: readonly Part[] =
    typeof content.value === "string"
      ? [{ kind: "text", text: content.value }]
      : read.each(content, (block) => readBlock(read, block)).flat();
  return {
    message: { role, parts: role === "user" ? userParts(parts) : parts },
    createdAtMs: optionalTimeMs(moment),
    state: "complete",
    model: optionalText(optionalField(place, "model")),
    id: optionalText(optionalField(place, "id")),
  };
}

/** The kind of a line in the user's role that names its origin; `undefined` when the user wrote it. */
function labelOfLine(line: LocatedValue): string | undefined {
  if (SUMMARY_FLAGS.some((name) => optionalField(line, name).value === true)) return "summary";
  const kind = optionalText(optionalField(optionalField(line, "origin"), "kind"));
  if (kind !== "") return kind === "human" || kind === "user" ? undefined : kind;
  return optionalField(line, "isVisibleInTranscriptOnly").value === true ? "note" : undefined;
}

const SUMMARY_FLAGS = ["isCompactSummary", "isSummary"];

/** Skips blocks without use here, such as redacted thinking, and signatures, valid only for their requester. */
function readBlock(read: DocumentReader, block: LocatedValue): readonly Part[] {
  switch (optionalField(block, "type").value) {
    case "text":
      return [{ kind: "text", text: read.text(optionalField(block, "text")) }];
    case "thinking":
      return [{ kind: "thinking", text: read.text(optionalField(block, "thinking")) }];
    case "tool_use": {
      const callId = toolCallId(read.text(optionalField(block, "id")));
      const inputJson = toolInput(read, optionalField(block, "input"));
      return [{ kind: "toolCall", callId, name: read.text(optionalField(block, "name")), inputJson }];
    }
    case "tool_result": {
      const callId = toolCallId(read.text(optionalField(block, "tool_use_id")));
      const outcome = optionalField(block, "is_error").value === true ? "error" : "ok";
      return [{ kind: "toolResult", callId, outcome, text: resultText(read, optionalField(block, "content")) }];
    }
    case "image":
      return imageIn(optionalField(block, "source"));
    default:
      if (typeof optionalField(block, "type").value !== "string") read.refuse(optionalField(block, "type"), "text");
      return [];
  }
}

function toolInput(read: DocumentReader, input: LocatedValue): string {
  return input.value === undefined || input.value === null ? "{}" : read.json(input);
}

function resultText(read: DocumentReader, content: LocatedValue): string {
  if (content.value === undefined || typeof content.value === "string") return optionalText(content);
  return read
    .each(content, (block) => optionalText(optionalField(block, "text")))
    .filter((text) => text !== "")
    .join("\n");
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function imageIn(source: LocatedValue): readonly Part[] {
  const [mediaType, dataBase64] = ["media_type", "data"].map((name) => optionalText(optionalField(source, name)));
  if (mediaType === undefined || dataBase64 === undefined) return [];
  return mediaType.startsWith("image/") && BASE64.test(dataBase64) ? [{ kind: "image", mediaType, dataBase64 }] : [];
}
