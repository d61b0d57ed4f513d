/** Finds what looks like a file name in an answer; the host checks whether the file exists. Pure; linear time. */
import { MAX_PATH_LENGTH } from "../../protocol/codeView.ts";

/** `line` and `column` count from 1; 0 if not given. */
export interface FileName {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A file name in a text, at `[start, end)`. */
export interface FileNameRange extends FileName {
  readonly start: number;
  readonly end: number;
}

/** More in one text is a list of data. */
const maxNames = 100;
const maxTextLength = 20_000;

/** Of a range of lines, the first is opened. */
const rest = String.raw`(?:C\d{1,5})?(?:[-–]L?\d{1,7}(?:[:C]\d{1,5})?)?`;
const inBrackets = String.raw`\((\d{1,7})(?:, ?(\d{1,5}))?\)`;
/** Of another machine, too: the host looks for the file in the project. */
const drive = String.raw`[A-Za-z]:[/\\]`;
const place = String.raw`(?:(?::L?(\d{1,7})(?::(\d{1,5}))?|#L(\d{1,7}))${rest}|${inBrackets})?`;
/** "src/a.ts:12:3", "a.ts:12-20", "a.ts#L12", "a.ts(12,3)"; the extension begins with a letter. */
const inText = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_@/\\:.~+-])` +
    String.raw`((?:${drive}|\.{0,2}/)?(?:[\p{L}\p{M}\p{N}_@.+~-]{1,100}[/\\]){0,30}[\p{L}\p{M}\p{N}_@.+~-]{1,100}\.[A-Za-z][A-Za-z0-9_]{0,11})` +
    place +
    String.raw`(?![\p{L}\p{N}_/\\@])`,
  "gu",
);
/** Cheap check first: most sentences have no extension in them. */
const ending = /\.[A-Za-z]/;
const whole = new RegExp(String.raw`^((?:${drive})?[^\s"'<>|*?` + "`" + String.raw`(){}\[\];,=:#]+)${place}$`, "u");
/** A name with blanks, brackets or "#", which ends in an extension: "My Component.tsx", "app/[id]/(shop)/page.tsx". */
const wholeWithSigns = new RegExp(
  String.raw`^((?:${drive})?[^\s"'<>|*?` +
    "`" +
    String.raw`{};,=:#](?:[^\s"'<>|*?` +
    "`" +
    String.raw`{};=:]| (?! )){0,300}\.[A-Za-z][A-Za-z0-9_]{0,11})${place}$`,
  "u",
);
const linked = new RegExp(String.raw`^([^#?]+)(?:#L?(\d{1,7})${rest})?$`);
/** What precedes the path, or its drive, in a local file URL; the URL of another machine has its name there. */
const localFilePrefix = /^file:\/\/(?:localhost)?(?:\/(?=[a-z](?::|%3a)\/)|(?=\/[^/\\]))/i;
/** Names without a folder or an extension. */
const bare = /^(?:[A-Z][a-z]+file|LICENSE|README|CHANGELOG|AUTHORS|NOTICE|CODEOWNERS)$/;
/** "e.g", "3.x", "me@example.com": no folder, and not a file. */
const notFileName = /^(?:[\p{L}\d]\.\p{L}|[^/@]+@(?!\dx\.)[^/]+)$/u;

/** File names in a text, in order. */
export function fileNamesIn(text: string): readonly FileNameRange[] {
  if (text.length > maxTextLength || !ending.test(text)) return [];
  const found: FileNameRange[] = [];
  for (const match of text.matchAll(inText)) {
    const name = nameOf(match);
    if (name === null || notFileName.test(name.path)) continue;
    found.push({ ...name, start: match.index, end: match.index + match[0].length });
    if (found.length === maxNames) break;
  }
  return found;
}

/** The whole text as a file name, for inline code; null if it is none. */
export function wholeFileName(text: string): FileName | null {
  if (text.length > MAX_PATH_LENGTH + 20) return null;
  const match = whole.exec(text) ?? wholeWithSigns.exec(text);
  const written = match?.[1] ?? "";
  const isName = /[./\\]/.test(written) ? /[\p{L}\p{N}]/u.test(written) : bare.test(written);
  return match !== null && isName ? nameOf(match) : null;
}

/** The file that a link's address names, as a path or a file URL; null for a network address or another scheme. */
export function fileNameFromLink(address: string): FileName | null {
  const withoutDot = address.replace(/^\.\//, "").replace(localFilePrefix, "");
  if (
    withoutDot === "" ||
    /^(?:[a-z][a-z0-9+.-]+:(?!L?\d)|\/\/|#)/i.test(withoutDot) ||
    withoutDot.length > MAX_PATH_LENGTH
  ) {
    return null;
  }
  const match = linked.exec(withoutDot); // before "%23" becomes a sign of the name
  const named = decoded(match?.[1] ?? (wholeFileName(decoded(withoutDot)) === null ? "" : withoutDot));
  if (named === "") return null;
  const inside = wholeFileName(named);
  return { path: inside?.path ?? named, line: Number(match?.[2] ?? inside?.line ?? 0), column: inside?.column ?? 0 };
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address; // a literal percent sign
  }
}

function nameOf(match: RegExpExecArray): FileName | null {
  const path = (match[1] ?? "").replace(/^\.\//, "");
  if (path === "" || path.length > MAX_PATH_LENGTH) return null;
  const [, , line, column, fragment, lineInBrackets, columnInBrackets] = match;
  return {
    path,
    line: Number(line ?? fragment ?? lineInBrackets ?? 0),
    column: Number(column ?? columnInBrackets ?? 0),
  };
}
