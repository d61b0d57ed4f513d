/** Titles of conversations. Pure. */

import type { TitleRecord } from "../../core/history/records.ts";
import { localize } from "../../protocol/localize.ts";
import { HIDDEN_IN_PROSE, makeVisible } from "../tools/hiddenText.ts";

/** Longest automatic title, in characters: what a narrow list shows in one line. */
const MAX_TITLE = 60;
const FENCE = /^\s*(?:```|~~~)/;
/** The line above code that was added from the editor: its location. */
const PLACE_OF_CODE = /^`[^`]+`, [^`]*\d:$/;
/** Opening words that say nothing of the topic. */
const GREETING =
  /^(?:hi|hello|hey|hallo|moin|servus|bonjour|salut|hola|ciao|olá|hej|test|testing|ok|okay|thanks|thank you|please|help|你好|您好|こんにちは|안녕하세요|привет)\b|^(?:你好|您好|こんにちは|안녕하세요|привет)/iu;

/**
 * The title that a new message gives its conversation, where there is none or an automatic one without a topic.
 * `undefined`: the present title stays, as one given by the user always does.
 */
export function automaticTitle(
  present: Pick<TitleRecord, "title" | "by"> | undefined,
  text: string,
  atMs: number,
): TitleRecord | undefined {
  if (present !== undefined && (present.by === "user" || !lacksTopic(present.title))) return undefined;
  const title = titleFrom(text);
  if (present !== undefined && lacksTopic(title)) return undefined;
  return { kind: "title", title, by: "automatic", atMs };
}

/** The first line that says something, cut at a word; prose before locations of code, these before code. */
export function titleFrom(text: string): string {
  const lines = text.split("\n");
  const prose: string[] = [];
  const places: string[] = [];
  const code: string[] = [];
  let isCode = false;
  for (const line of lines) {
    if (FENCE.test(line)) isCode = !isCode;
    else (isCode ? code : PLACE_OF_CODE.test(line) ? places : prose).push(line);
  }
  const line = [...prose, ...places, ...code].map(plain).find((candidate) => candidate !== "") ?? "";
  if (line === "") return localize("New conversation");
  return shortenTitle(line);
}

/** A title as one line of a notification or a narrow list: whole, or cut at a word, with "…". */
export function shortenTitle(title: string): string {
  const characters = charactersOf(title);
  if (characters.length <= MAX_TITLE) return title;
  const cut = characters.slice(0, MAX_TITLE - 1).join("");
  const lastBlank = cut.lastIndexOf(" ");
  return `${lastBlank > MAX_TITLE / 2 ? cut.slice(0, lastBlank) : cut}…`;
}

/** A title as it is shown: one that was imported may hold anything. */
export function visibleTitle(title: string): string {
  return makeVisible(title).text.replaceAll(/[\t\n\r]+/g, " ");
}

/** Longest title that a user can give, in characters. */
const LONGEST_GIVEN_TITLE = 200;

/** Why a title given by the user is invalid; `undefined` when it is valid. */
export function titleFault(title: string): string | undefined {
  const { length } = charactersOf(title.trim());
  if (length === 0) return localize("A title has at least one character");
  if (length <= LONGEST_GIVEN_TITLE) return undefined;
  return localize("A title has at most {0} characters; this one has {1}", LONGEST_GIVEN_TITLE, length);
}

/** Devices of Windows, which takes no file of such a name, whatever its ending. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])$/;

/** A title as the name of a file on every system: letters and digits of any script, the rest as hyphens. */
export function fileNameOf(title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "");
  const name = charactersOf(words).slice(0, MAX_TITLE).join("").replace(/-+$/, "").toLowerCase();
  if (DEVICE.test(name)) return `${name}-conversation`;
  return name === "" ? "conversation" : name;
}

/** Whether a title lacks a topic, as a greeting does: a later message makes a better one. */
export function lacksTopic(title: string): boolean {
  const rest = title.replace(GREETING, "").replace(/[^\p{L}\p{N}]+/gu, "");
  const isNone = title === "New conversation" || title === localize("New conversation");
  return isNone || (charactersOf(rest).length < 4 && rest.length < title.length);
}

/** Grapheme clusters. */
function charactersOf(line: string): readonly string[] {
  return Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
}

function plain(line: string): string {
  return line
    .replace(/`([^`]+)`/g, "$1")
    .replace(/^[\s#>*\-`]+/, "")
    .replace(HIDDEN_IN_PROSE, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ ?:$/, "");
}
