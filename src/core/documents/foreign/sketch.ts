/**
 * The facts that a list shows of a conversation before it is imported: read from the beginning and the end of its file, which are put
 * together to a document of the same format.
 */

import { tryParseJson } from "../../json.ts";
import type { ValidationError } from "../../errors.ts";
import { ok, type Result } from "../../result.ts";
import { sourceIdOf } from "./answerKeys.ts";
import { ForeignFile } from "./foreignFile.ts";
import { foreignRecords, readForeign } from "./foreignRecords.ts";
import { ForeignTree } from "./foreignTree.ts";
import { formatOf } from "./formats.ts";
import { MessageHolder, type TextStore } from "./heldMessages.ts";
import type { DocumentText } from "../documentText.ts";
import { outlineOf } from "../jsonOutline.ts";

export interface ConversationSketch {
  /** As `formats.ts` names it. */
  readonly tool: string;
  readonly id: string;
  /** The title that an import gives it; may be empty. */
  readonly title: string;
  /** Folder that was worked in; empty when unknown. */
  readonly project: string;
  /** Time of the last answer; 0 when unknown. */
  readonly endMs: number;
  readonly isSubAgent: boolean;
  /** Questions and answers in what was read. */
  readonly answers: number;
}

/** Conversations of a document, or of a sketch of one; empty when the format is not known. */
export function* sketchesOf(
  text: DocumentText,
  texts: TextStore,
): Generator<Result<ConversationSketch, ValidationError>> {
  const holder = new MessageHolder(texts);
  for (const read of readForeign(fileOf(text), holder) ?? []) {
    if (!read.ok) {
      yield read;
      continue;
    }
    const conversation = read.value;
    const tree = new ForeignTree(conversation);
    let title = "";
    for (const record of foreignRecords(conversation, { holder, recount: (uncounted) => uncounted, nowMs: 0 })) {
      if (record.kind === "title") ({ title } = record);
    }
    yield ok({
      tool: conversation.tool,
      id: sourceIdOf(conversation, holder),
      title,
      project: conversation.source?.project ?? "",
      endMs: tree.endMs,
      isSubAgent: conversation.source?.isSubAgent === true,
      answers: [...tree.answers()].length,
    });
  }
}

/** True if a file of this format may hold several conversations. */
export function holdsSeveral(text: DocumentText): boolean {
  return formatOf(fileOf(text))?.readAll !== undefined;
}

function fileOf(text: DocumentText): ForeignFile {
  const outline = outlineOf(text);
  return new ForeignFile(text, outline.ok ? outline.value : undefined);
}

/** A document with the lines of both; of one value, with what its beginning holds. `tail`: begins anywhere in a line. */
export function sketchText(head: string, tail: string): string {
  const beginning = head.replace(/^\uFEFF+/, "").trimStart();
  const after = tail.slice(tail.indexOf("\n") + 1);
  const lines = beginning.split("\n");
  const cut = lines.pop() ?? "";
  if (!/^[[{]/.test(beginning)) return [...lines, after].join("\n");
  const last = after.trimEnd().split("\n").at(-1) ?? "";
  const isLines = beginning.startsWith("{") && (isObject(lines[0]) || isObject(last));
  if (!isLines) return closedJson(beginning);
  return [...lines, closedJson(cut), after].filter((line) => line !== "").join("\n");
}

function isObject(line = ""): boolean {
  const value = tryParseJson(line);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The beginning of a JSON text as whole JSON: a string ends where it is cut, and another cut value is left out. */
export function closedJson(beginning: string): string {
  const open: ("}" | "]")[] = [];
  /** End of the last whole value, or of the opening of one. */
  let whole = 0;
  /** True where a string is the name of a member. */
  let isName = false;
  const end = (at: number, closing = ""): string => beginning.slice(0, at) + closing + open.toReversed().join("");
  for (let at = 0; at < beginning.length; at++) {
    switch (beginning[at]) {
      case "{":
      case "[":
        isName = beginning[at] === "{";
        open.push(isName ? "}" : "]");
        whole = at + 1;
        break;
      case "}":
      case "]":
        if (open.pop() === undefined) return end(at);
        whole = at + 1;
        break;
      case ",":
        whole = at;
        isName = open.at(-1) === "}";
        break;
      case ":":
        isName = false;
        break;
      case '"': {
        const found = stringEnd(beginning, at);
        if (!found.isWhole) return isName ? end(whole) : end(found.end, '"');
        at = found.end - 1;
        if (!isName) whole = found.end;
        break;
      }
      default:
        break;
    }
  }
  return end(whole);
}

/** After the closing quote; of a cut string, before an escape that is cut. */
function stringEnd(text: string, start: number): { readonly end: number; readonly isWhole: boolean } {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { end: at + 1, isWhole: true };
    if (text[at] !== "\\") continue;
    const length = text[at + 1] === "u" ? 6 : 2;
    if (at + length > text.length) return { end: at, isWhole: false };
    at += length - 1;
  }
  return { end: text.length, isWhole: false };
}
