/**
 * What in an answer looks like the name of a file. Only looks: whether there is such a file in the workspace is the
 * host's to say. Pure; takes time in proportion to the text.
 */
import { MOST_PATH_LENGTH } from "../../protocol/codeView.ts";

/** A name, and the place in the file that is named with it: from 1, 0 where none is. */
export interface FileName {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A stretch of text, and the name that it is. */
export interface NamedStretch extends FileName {
  readonly start: number;
  readonly end: number;
}

/** More in one stretch of text is a list of data. */
const mostNames = 100;
const mostCharacters = 20_000;

/** Of several lines the first is where it opens. */
const rest = String.raw`(?:C\d{1,5})?(?:[-–]L?\d{1,7}(?:[:C]\d{1,5})?)?`;
const inBrackets = String.raw`\((\d{1,7})(?:, ?(\d{1,5}))?\)`;
const place = String.raw`(?:(?::L?(\d{1,7})(?::(\d{1,5}))?|#L(\d{1,7}))${rest}|${inBrackets})?`;
/** "src/net/upload.ts:12:3", "upload.ts:12-20", "upload.ts#L12", "upload.ts(12,3)"; the last part has an ending that begins with a letter. */
const inText = new RegExp(
  String.raw`(?<![\p{L}\p{N}_@/\\:.~+-])` +
    String.raw`((?:\.{0,2}/)?(?:[\p{L}\p{N}_@.+~-]{1,100}/){0,30}[\p{L}\p{N}_@.+~-]{1,100}\.[A-Za-z][A-Za-z0-9_]{0,11})` +
    place +
    String.raw`(?![\p{L}\p{N}_/\\@])`,
  "gu",
);
/** What every name in a text has; most sentences have none, and are told so at once. */
const ending = /\.[A-Za-z]/;
const whole = new RegExp(String.raw`^([^\s"'<>|*?` + "`" + String.raw`(){}\[\];,=:#]+)${place}$`, "u");
const linked = new RegExp(String.raw`^([^#?]+)(?:#L?(\d{1,7})${rest})?$`);
/** What stands before a whole path, or before its drive; an address of another machine has more there. */
const ofThisMachine = /^file:\/\/(?:localhost)?(?:\/(?=[a-z](?::|%3a)\/)|(?=\/[^/\\]))/i;
/** Names that have neither a folder nor an ending. */
const bare = /^(?:[A-Z][a-z]+file|LICENSE|README|CHANGELOG|AUTHORS|NOTICE|CODEOWNERS)$/;
/** "e.g", "3.x", "me@example.com": of no folder, and something else. */
const otherThing = /^(?:[\p{L}\d]\.\p{L}|[^/@]+@(?!\dx\.)[^/]+)$/u;

/** The names in a text, first to last. */
export function fileNamesIn(text: string): readonly NamedStretch[] {
  if (text.length > mostCharacters || !ending.test(text)) return [];
  const found: NamedStretch[] = [];
  for (const match of text.matchAll(inText)) {
    const name = nameOf(match);
    if (name === null || otherThing.test(name.path)) continue;
    found.push({ ...name, start: match.index, end: match.index + match[0].length });
    if (found.length === mostNames) break;
  }
  return found;
}

/** The name that a text is as a whole, as in code between words; null when it is none. */
export function wholeFileName(text: string): FileName | null {
  if (text.length > MOST_PATH_LENGTH + 20) return null;
  const match = whole.exec(text);
  const written = match?.[1] ?? "";
  const isName = /[./\\]/.test(written) ? /[\p{L}\p{N}]/u.test(written) : bare.test(written);
  return match !== null && isName ? nameOf(match) : null;
}

/** The file that the address of a link names: a path, or one as `file:///` has it; not an address of the network or of a program. */
export function fileNameOfLink(address: string): FileName | null {
  const withoutDot = address.replace(/^\.\//, "").replace(ofThisMachine, "");
  if (
    withoutDot === "" ||
    /^(?:[a-z][a-z0-9+.-]+:(?!L?\d)|\/\/|#)/i.test(withoutDot) ||
    withoutDot.length > MOST_PATH_LENGTH
  ) {
    return null;
  }
  const match = linked.exec(decoded(withoutDot));
  const named = match?.[1] ?? "";
  if (named === "") return null;
  const inside = wholeFileName(named);
  return { path: inside?.path ?? named, line: Number(match?.[2] ?? inside?.line ?? 0), column: inside?.column ?? 0 };
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address; // a percent sign of its own
  }
}

function nameOf(match: RegExpExecArray): FileName | null {
  const path = (match[1] ?? "").replace(/^\.\//, "");
  if (path === "" || path.length > MOST_PATH_LENGTH) return null;
  const [, , line, column, fragment, lineInBrackets, columnInBrackets] = match;
  return {
    path,
    line: Number(line ?? fragment ?? lineInBrackets ?? 0),
    column: Number(column ?? columnInBrackets ?? 0),
  };
}
