/**
 * Conversations in the form of the Messages API: Claude Code's JSON Lines, one piece a line, and Cline's
 * `api_conversation_history.json`, one list.
 */

import { jsonIn } from "../../json.ts";
import { toolCallId } from "../../ids.ts";
import type { Part } from "../../message.ts";
import type { DocumentReader, Place } from "../documentReader.ts";
import { fieldOf, momentIn, textIn, type ForeignConversation, type ForeignMessage } from "./foreignConversation.ts";

export function readMessagesList(read: DocumentReader, list: Place): ForeignConversation {
  const messages = read.each(list, (place) => readMessage(read, place, fieldOf(place, "ts")));
  return { title: "", messages };
}

/** Side chains (subagents) and meta lines are skipped. */
export function readClaudeCode(read: DocumentReader, text: string): ForeignConversation {
  const messages: ForeignMessage[] = [];
  let title = "";
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || read.fault !== undefined) continue;
    const place = { value: jsonIn(line), path: `line ${index + 1}` };
    if (place.value === undefined) read.refuse({ value: line, path: place.path }, "a line of JSON");
    const type = fieldOf(place, "type").value;
    if (type === "summary") title ||= textIn(fieldOf(place, "summary"));
    const isNote = fieldOf(place, "isSidechain").value === true || fieldOf(place, "isMeta").value === true;
    if ((type !== "user" && type !== "assistant") || isNote) continue;
    messages.push(readMessage(read, fieldOf(place, "message"), fieldOf(place, "timestamp")));
  }
  return { title, messages };
}

function readMessage(read: DocumentReader, place: Place, moment: Place): ForeignMessage {
  const role = read.word(fieldOf(place, "role"), ["user", "assistant"]);
  const content = fieldOf(place, "content");
  const parts: readonly Part[] =
    typeof content.value === "string"
      ? [{ kind: "text", text: content.value }]
      : read.each(content, (block) => readBlock(read, block)).flat();
  return {
    message: { role, parts },
    createdAtMs: momentIn(moment),
    state: "complete",
    model: textIn(fieldOf(place, "model")),
    id: textIn(fieldOf(place, "id")),
  };
}

/** Skips blocks without use here, such as redacted thinking, and signatures, valid only for their requester. */
function readBlock(read: DocumentReader, block: Place): readonly Part[] {
  switch (fieldOf(block, "type").value) {
    case "text":
      return [{ kind: "text", text: read.text(fieldOf(block, "text")) }];
    case "thinking":
      return [{ kind: "thinking", text: read.text(fieldOf(block, "thinking")) }];
    case "tool_use": {
      const callId = toolCallId(read.text(fieldOf(block, "id")));
      const inputJson = JSON.stringify(fieldOf(block, "input").value ?? {});
      return [{ kind: "toolCall", callId, name: read.text(fieldOf(block, "name")), inputJson }];
    }
    case "tool_result": {
      const callId = toolCallId(read.text(fieldOf(block, "tool_use_id")));
      const outcome = fieldOf(block, "is_error").value === true ? "error" : "ok";
      return [{ kind: "toolResult", callId, outcome, text: resultText(read, fieldOf(block, "content")) }];
    }
    case "image":
      return imageIn(fieldOf(block, "source"));
    default:
      if (typeof fieldOf(block, "type").value !== "string") read.refuse(fieldOf(block, "type"), "text");
      return [];
  }
}

function resultText(read: DocumentReader, content: Place): string {
  if (content.value === undefined || typeof content.value === "string") return textIn(content);
  return read
    .each(content, (block) => textIn(fieldOf(block, "text")))
    .filter((text) => text !== "")
    .join("\n");
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function imageIn(source: Place): readonly Part[] {
  const [mediaType, dataBase64] = ["media_type", "data"].map((name) => textIn(fieldOf(source, name)));
  if (mediaType === undefined || dataBase64 === undefined) return [];
  return mediaType.startsWith("image/") && BASE64.test(dataBase64) ? [{ kind: "image", mediaType, dataBase64 }] : [];
}
