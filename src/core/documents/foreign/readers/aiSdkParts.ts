/** Parts of messages in the form of the AI SDK, which newer tools store as they are. */

import { toolCallId } from "../../../ids.ts";
import { boundedJson } from "../../../json.ts";
import type { AttachmentPart, ImagePart, Part, ToolResultPart } from "../../../message.ts";
import type { DocumentReader, LocatedValue } from "../../documentReader.ts";
import { optionalField, optionalItems, optionalText, type ResultFile } from "../foreignConversation.ts";
import { standIn, storedFile } from "./storedFiles.ts";

export function aiSdkCall(read: DocumentReader, part: LocatedValue): Part {
  const input = optionalField(part, "input");
  const { value } = input.value === undefined ? optionalField(part, "args") : input;
  return {
    kind: "toolCall",
    callId: toolCallId(read.text(optionalField(part, "toolCallId"))),
    name: read.text(optionalField(part, "toolName")),
    inputJson: typeof value === "string" ? value || "{}" : boundedJson(value ?? {}),
  };
}

export function aiSdkResult(read: DocumentReader, part: LocatedValue, files: ResultFile[]): Part {
  const callId = toolCallId(read.text(optionalField(part, "toolCallId")));
  const given = optionalField(part, "output");
  const output = given.value === undefined ? optionalField(part, "result") : given;
  const type = optionalText(optionalField(output, "type"));
  const value = optionalField(output, "value");
  const pieces = Array.isArray(value.value) && type === "content" ? optionalItems(value) : [];
  const texts = pieces.map((piece) => {
    const text = optionalField(piece, "text");
    if (typeof text.value === "string") return text.value;
    const file = aiSdkFile(piece);
    files.push({ callId, part: file });
    return standIn(file);
  });
  const whole = pieces.length > 0 ? texts.join("\n") : textOf(output, type);
  const isError =
    type.startsWith("error") || optionalField(part, "isError").value === true || whole.startsWith("[ERROR]");
  const outcome: ToolResultPart["outcome"] = type === "execution-denied" ? "denied" : isError ? "error" : "ok";
  return { kind: "toolResult", callId, outcome, text: whole };
}

function textOf(output: LocatedValue, type: string): string {
  if (type === "execution-denied") return optionalText(optionalField(output, "reason"));
  const { value } = type === "" ? output : optionalField(output, "value");
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : boundedJson(value);
}

/** A picture or another file: in base64, or by its address. */
export function aiSdkFile(part: LocatedValue): ImagePart | AttachmentPart {
  const text = (...names: readonly string[]): string =>
    names.map((name) => optionalText(optionalField(part, name))).find((found) => found !== "") ?? "";
  const content = text("image", "data", "url");
  const isAddress = /^(?:data|https?|file):/.test(content);
  const given = text("mediaType", "mimeType");
  const mediaType = given === "" && text("image") !== "" ? "image/png" : given;
  return storedFile({ mediaType, label: text("filename"), ...(isAddress ? { address: content } : { data: content }) });
}
