/** Reads a document to import: Forge's own, or another tool's. */

import { FullHistory } from "../history/fullHistory.ts";
import type { TokenCounts } from "../message.ts";
import { ok, type Result } from "../result.ts";
import type { DocumentText } from "./documentText.ts";
import { ForeignFile } from "./foreign/foreignFile.ts";
import { foreignRecords, readForeign } from "./foreign/foreignRecords.ts";
import { MessageHolder, type TextStore } from "./foreign/heldMessages.ts";
import { outlineOf, parseRange, type JsonOutline } from "./jsonOutline.ts";
import { loadConversation, type Recount, type RecordStream } from "./loadConversation.ts";

export interface DocumentImport {
  /** Holds the contents of foreign messages until their place in the conversation is known. */
  readonly texts: TextStore;
  readonly nowMs: number;
  readonly recountOwn: Recount;
  readonly recountForeign: Recount;
}

export function* documentRecords(text: DocumentText, options: DocumentImport): RecordStream {
  const outline = outlineOf(text);
  if (isOwn(text, outline)) return yield* loadConversation(text, options.recountOwn, outline);
  const holder = new MessageHolder(options.texts);
  const foreign = readForeign(new ForeignFile(text, outline.ok ? outline.value : undefined), holder);
  // What is unknown is told by what Forge's own document lacks.
  if (foreign === undefined) return yield* loadConversation(text, options.recountOwn, outline);
  if (!foreign.ok) return foreign;
  const making = { holder, countTokens: () => UNCOUNTED, nowMs: options.nowMs };
  const history = new FullHistory(); // asked only for the sources of summaries, and there are none
  for (const record of foreignRecords(foreign.value, making)) yield options.recountForeign(record, history);
  return ok(undefined);
}

/** Replaced when the records are counted. */
const UNCOUNTED: TokenCounts = { cl100k: 0, o200k: 0 };

/** True for Forge's own document, whole or cut. */
function isOwn(text: DocumentText, outline: Result<JsonOutline, string>): boolean {
  if (!outline.ok) {
    const beginning = text.text(0, Math.min(LONGEST_BEGINNING, text.length)).replace(/^\uFEFF+/, "");
    return /^\s*\{\s*"version"\s*:\s*\d+\s*,\s*"messages"/.test(beginning);
  }
  const version = outline.value.members?.get("version");
  if (version === undefined || outline.value.members?.has("messages") !== true) return false;
  const parsed = parseRange(text, version);
  return parsed.ok && typeof parsed.value === "number";
}

const LONGEST_BEGINNING = 4_096;
