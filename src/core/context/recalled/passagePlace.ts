/** The passage of a found message that is recalled: the whole of a short text, else what is around the best place. */

import { placeAfter, placeBefore } from "../../cutText.ts";
import type { MessageId } from "../../ids.ts";
import type { Message } from "../../message.ts";
import { partAt } from "../../search/searchText.ts";
import { secretsIn } from "../../secrets/redact.ts";
import { textOfPart, type PassagePlace } from "./recalledText.ts";

/** In UTF-16 units. */
const LONGEST_PASSAGE = 900;
const SHORTEST_PASSAGE = 240;
/** A passage in a small window is shorter, so that there is room for another. */
const UNITS_PER_TOKEN = 2;
const SHARE_BEFORE = 0.3;
/** A passage begins and ends between lines, if one ends within this of where it would be cut; else between words. */
const LONGEST_LINE_REST = 120;
const LONGEST_WORD = 24;

/** `at`: place in the text of the message that is searched. `undefined` where nothing can be recalled, or a secret is. */
export function passagePlace(
  id: MessageId,
  message: Message,
  at: number,
  mostTokens: number,
): PassagePlace | undefined {
  const { part, offset } = partAt(message, at);
  const text = textOfPart(message.parts[part]);
  if (text === undefined || text.trim() === "") return undefined;
  const most = Math.min(LONGEST_PASSAGE, Math.max(SHORTEST_PASSAGE, mostTokens * UNITS_PER_TOKEN));
  const { start, end } = rangeAround(text, Math.min(offset, text.length), most);
  const hasSecret = secretsIn(text).some((secret) => secret.start < end && start < secret.end);
  return hasSecret ? undefined : { id, part, start, end };
}

function rangeAround(text: string, at: number, most: number): { readonly start: number; readonly end: number } {
  if (text.length <= most) return { start: 0, end: text.length };
  const wanted = Math.max(0, Math.min(at - Math.floor(most * SHARE_BEFORE), text.length - most));
  const start = wanted === 0 ? 0 : edgeAfter(text, wanted, at);
  const end = Math.min(text.length, wanted + most);
  return { start, end: end === text.length ? end : edgeBefore(text, end, Math.max(at, start) + 1) };
}

/** The beginning of a line or a word from `from` to `last`. */
function edgeAfter(text: string, from: number, last: number): number {
  const line = text.indexOf("\n", from);
  if (line >= 0 && line < Math.min(last, from + LONGEST_LINE_REST)) return line + 1;
  for (let at = from; at < Math.min(last, from + LONGEST_WORD); at++) if (/\s/u.test(text.charAt(at))) return at + 1;
  return placeAfter(text, from);
}

/** The end of a line or a word from `to` back to `first`. */
function edgeBefore(text: string, to: number, first: number): number {
  const line = text.lastIndexOf("\n", to);
  if (line >= Math.max(first, to - LONGEST_LINE_REST)) return line;
  for (let at = to; at > Math.max(first, to - LONGEST_WORD); at--) if (/\s/u.test(text.charAt(at))) return at;
  return placeBefore(text, to);
}
