/** Messages in the form of the Messages API, which Claude Code, Cline and Roo store. */

import { toolCallId } from "../../../ids.ts";
import { boundedJson, member } from "../../../json.ts";
import type { AttachmentPart, ImagePart, Part } from "../../../message.ts";
import type { DocumentReader, LocatedValue } from "../../documentReader.ts";
import {
  optionalCount,
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type ForeignMessage,
  type ForeignUsage,
  type ResultFile,
} from "../foreignConversation.ts";
import { userParts } from "../userParts.ts";
import { aiSdkCall, aiSdkFile, aiSdkResult } from "./aiSdkParts.ts";

export function readMessage(read: DocumentReader, place: LocatedValue, moment: LocatedValue): ForeignMessage {
  const role = read.word(optionalField(place, "role"), ["user", "assistant"]);
  const { parts, resultFiles } = readContent(read, optionalField(place, "content"));
  const usage = usageIn(optionalField(place, "usage"));
  return {
    message: { role, parts: role === "user" ? userParts(parts) : parts },
    createdAtMs: optionalTimeMs(moment),
    state: "complete",
    model: optionalText(optionalField(place, "model")),
    id: optionalText(optionalField(place, "id")),
    ...(resultFiles.length === 0 ? {} : { resultFiles }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Text, or a list of blocks; nothing at all where an answer only thought or called tools. */
export function readContent(
  read: DocumentReader,
  content: LocatedValue,
): { readonly parts: readonly Part[]; readonly resultFiles: readonly ResultFile[] } {
  const resultFiles: ResultFile[] = [];
  if (content.value === undefined || content.value === null) return { parts: [], resultFiles };
  if (typeof content.value === "string") return { parts: [{ kind: "text", text: content.value }], resultFiles };
  return { parts: read.each(content, (block) => readBlock(read, block, resultFiles)).flat(), resultFiles };
}

/** Skips what has no text of its own: redacted thinking, and signatures, valid only for their requester. */
function readBlock(read: DocumentReader, block: LocatedValue, files: ResultFile[]): readonly Part[] {
  if (typeof block.value === "string") return [{ kind: "text", text: block.value }];
  const type = read.text(optionalField(block, "type"));
  switch (type) {
    case "text":
      return [{ kind: "text", text: read.text(optionalField(block, "text")) }];
    case "thinking":
    case "reasoning":
      return thinkingIn(block);
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use": {
      const callId = toolCallId(read.text(optionalField(block, "id")));
      const inputJson = toolInput(read, optionalField(block, "input"));
      return [{ kind: "toolCall", callId, name: read.text(optionalField(block, "name")), inputJson }];
    }
    case "tool-call":
      return [aiSdkCall(read, block)];
    case "tool-result":
      return [aiSdkResult(read, block, files)];
    case "file":
      return [aiSdkFile(block)];
    case "image":
      return optionalField(block, "image").value === undefined
        ? imageIn(optionalField(block, "source"))
        : [aiSdkFile(block)];
    case "document":
      return [documentIn(block)];
    case "redacted_thinking":
    case "thoughtSignature":
    case "cache_edits":
      return [];
    default:
      return type.endsWith("tool_result") ? [resultIn(read, block, files)] : [unknownBlock(type, block)];
  }
}

function resultIn(read: DocumentReader, block: LocatedValue, files: ResultFile[]): Part {
  const callId = toolCallId(read.text(optionalField(block, "tool_use_id")));
  const outcome = optionalField(block, "is_error").value === true ? "error" : "ok";
  const content = optionalField(block, "content");
  if (content.value === undefined || content.value === null || typeof content.value === "string") {
    return { kind: "toolResult", callId, outcome, text: optionalText(content) };
  }
  const items = Array.isArray(content.value) ? optionalItems(content) : [content];
  const texts = items.map((item) => {
    const file = resultFileIn(item);
    if (file !== undefined) {
      files.push({ callId, part: file });
      return file.kind === "image" ? `[picture: ${file.mediaType}]` : `[${file.label}]`;
    }
    if (typeof item.value === "string") return item.value;
    return optionalText(optionalField(item, "text")) || jsonOf(item);
  });
  return { kind: "toolResult", callId, outcome, text: texts.filter((text) => text !== "").join("\n") };
}

function resultFileIn(item: LocatedValue): ImagePart | AttachmentPart | undefined {
  const type = optionalField(item, "type").value;
  if (type === "image") return imageIn(optionalField(item, "source"))[0];
  return type === "document" ? documentIn(item) : undefined;
}

/** A kind of block that is not known is kept as what it is. */
function unknownBlock(type: string, block: LocatedValue): Part {
  return { kind: "attachment", label: type, text: optionalText(optionalField(block, "text")) || jsonOf(block) };
}

function jsonOf({ value }: LocatedValue): string {
  return member(value, "text") === "" ? "" : boundedJson(value);
}

/** Thinking of any provider, as text or as a list of summaries. */
export function thinkingIn(block: LocatedValue): readonly Part[] {
  const texts = [
    ...["thinking", "text", "reasoning"].map((name) => optionalText(optionalField(block, name))),
    ...["summary", "content"].flatMap((name) => {
      const field = optionalField(block, name);
      if (typeof field.value === "string") return [field.value];
      return optionalItems(field).map((item) => optionalText(optionalField(item, "text")));
    }),
  ].filter((text) => text !== "");
  return texts.length === 0 ? [] : [{ kind: "thinking", text: texts.join("\n") }];
}

function toolInput(read: DocumentReader, input: LocatedValue): string {
  return input.value === undefined || input.value === null ? "{}" : read.json(input);
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function imageIn(source: LocatedValue): readonly (ImagePart | AttachmentPart)[] {
  const mediaType = optionalText(optionalField(source, "media_type"));
  const dataBase64 = optionalText(optionalField(source, "data")).replace(/\s+/g, "");
  if (mediaType.startsWith("image/") && BASE64.test(dataBase64)) return [{ kind: "image", mediaType, dataBase64 }];
  const address = optionalText(optionalField(source, "url"));
  return [{ kind: "attachment", label: "picture", text: address || "[A picture that the file does not contain]" }];
}

/** A document by its name; its text, where it has one. */
function documentIn(block: LocatedValue): AttachmentPart {
  const source = optionalField(block, "source");
  const mediaType = optionalText(optionalField(source, "media_type"));
  const data = optionalText(optionalField(source, "data"));
  const kind = mediaType === "application/pdf" ? "PDF" : mediaType || "document";
  const label = optionalText(optionalField(block, "title")) || optionalText(optionalField(block, "name")) || kind;
  const texts = [
    optionalText(optionalField(block, "context")),
    optionalField(source, "type").value === "text" ? data : "",
    optionalText(optionalField(source, "url")),
    ...optionalItems(optionalField(source, "content")).map((item) => optionalText(optionalField(item, "text"))),
  ].filter((text) => text !== "");
  const bytes = Math.floor((data.length * 3) / 4);
  const missing = `[${kind}, ${bytes.toLocaleString("en-US")} bytes, not imported]`;
  return { kind: "attachment", label, text: texts.length === 0 ? missing : texts.join("\n") };
}

export function usageIn(usage: LocatedValue): ForeignUsage | undefined {
  const count = (name: string): number => optionalCount(optionalField(usage, name));
  const [cacheReadTokens, cacheWriteTokens] = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
  const inputTokens = count("input_tokens") + cacheReadTokens + cacheWriteTokens;
  const outputTokens = count("output_tokens");
  if (inputTokens + outputTokens === 0) return undefined;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
