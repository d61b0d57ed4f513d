/** Reads a document to import: Forge's own, or another tool's. */

import type { ValidationError } from "../errors.ts";
import { member } from "../json.ts";
import { ok, type Result } from "../result.ts";
import type { DocumentText } from "./documentText.ts";
import { ForeignFile } from "./foreign/foreignFile.ts";
import { foreignRecords, readForeign, type NamedConversation } from "./foreign/foreignRecords.ts";
import { MessageHolder, type TextStore } from "./foreign/heldMessages.ts";
import { outlineOf, parseRange, piecesOf, type JsonOutline, type ValueRange } from "./jsonOutline.ts";
import { loadConversation, type Recount, type RecordStream } from "./loadConversation.ts";

export interface DocumentImport {
  /** Holds the contents of foreign messages until their place in the conversation is known. */
  readonly texts: TextStore;
  readonly nowMs: number;
  /** Of the files that it was read from: a later import sees by them that something has changed. */
  readonly fileBytes: number;
  readonly recountOwn: Recount;
  readonly recountForeign: Recount;
}

/** The conversations of a document, at least one, each to be read before the next. */
export function* documentConversations(text: DocumentText, options: DocumentImport): Generator<RecordStream> {
  const outline = outlineOf(text);
  const holder = new MessageHolder(options.texts);
  const foreign = isOwn(text, outline)
    ? undefined
    : readForeign(new ForeignFile(text, outline.ok ? outline.value : undefined), holder);
  // What is unknown is told by what Forge's own document lacks.
  if (foreign === undefined) yield loadConversation(text, options.recountOwn, outline);
  else for (const conversation of foreign) yield recordsOf(conversation, holder, options);
}

function* recordsOf(
  conversation: Result<NamedConversation, ValidationError>,
  holder: MessageHolder,
  { nowMs, fileBytes, recountForeign }: DocumentImport,
): RecordStream {
  if (!conversation.ok) return conversation;
  const link = { tool: conversation.value.tool, bytes: fileBytes };
  yield* foreignRecords(conversation.value, { holder, recount: recountForeign, nowMs, link });
  return ok(undefined);
}

/** True for Forge's own document, whole or cut. */
function isOwn(text: DocumentText, outline: Result<JsonOutline, string>): boolean {
  if (!outline.ok) {
    const beginning = text.text(0, Math.min(LONGEST_BEGINNING, text.length)).replace(/^\uFEFF+/, "");
    return /^\s*\{\s*"version"\s*:\s*\d+\s*,\s*"messages"(?!\s*:\s*\[\s*\{\s*"(?:role|type)")/.test(beginning);
  }
  const version = outline.value.members?.get("version");
  const messages = outline.value.members?.get("messages");
  if (version === undefined || messages === undefined || isOfModel(text, messages)) return false;
  const parsed = parseRange(text, version);
  return parsed.ok && typeof parsed.value === "number";
}

/** True for messages with a `content`, which other tools store with a version of their own. */
function isOfModel(text: DocumentText, messages: ValueRange): boolean {
  if (messages.cuts === undefined) return false;
  const [first] = piecesOf(text, messages);
  return first?.ok === true && first.value.some((item) => member(item, "content") !== undefined);
}

const LONGEST_BEGINNING = 4_096;
