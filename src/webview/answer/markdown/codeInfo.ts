/** Reads the info string of a code fence: the language, and the file that the block names. Pure. */

/** Either may be empty. */
export interface CodeInfo {
  readonly language: string;
  readonly path: string;
}

const path = String.raw`[^\s"'\`<>|*?(){},;=:]{1,400}`;
/** "ts title=src/a.ts", "ts file="src/a.ts"". */
const titled = new RegExp(String.raw`(?:^|\s)(?:title|file|filename|path)=["']?(${path})`);
/** "ts src/a.ts", "ts:src/a.ts", "12:40:src/a.ts". */
const named = new RegExp(String.raw`^(?:[\w+#.-]{0,32}[\s:]+|\d+:\d+:)(${path})(?=\s|:\d|$)`);
/** A first line with nothing but a name in a comment: "// src/a.ts". */
const commented = new RegExp(String.raw`^\s*(?://|#|--|;|%|<!--|/\*)\s*(${path})\s*(?:-->|\*/)?\s*$`);
/** A name with an extension: a single word is something else. */
const withEnding = /^[^/\\]*[/\\].*\.[A-Za-z]\w{0,11}$|^[\w.@+~-]*\w\.[A-Za-z]\w{0,11}$/;

/** Reads the info string or, if that names no file, the first line of the code. */
export function codeInfo(info: string | undefined, text: string): CodeInfo {
  const words = (info ?? "").slice(0, 500).trim();
  const candidates = [titled.exec(words)?.[1], named.exec(words)?.[1], commentIn(text)];
  return {
    language: /^(?!\d+:\d+:)[\w+#.-]{1,32}/.exec(words)?.[0] ?? "",
    path: candidates.find((candidate) => candidate !== undefined && withEnding.test(candidate)) ?? "",
  };
}

function commentIn(text: string): string | undefined {
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  return first.length > 420 ? undefined : commented.exec(first)?.[1];
}
