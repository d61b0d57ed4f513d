/**
 * A text as it is meant: percent-encoding, the escapes of JSON, base64 and line wraps undone. A secret that is found in
 * a view is redacted in the text itself.
 */

/** A text that was decoded, and where each of its characters came from. */
export interface View {
  readonly text: string;
  /** The place in the original of `[start, end)` of `text`; `undefined` for a range without a removed line end. */
  readonly originalOf: (start: number, end: number) => { readonly start: number; readonly end: number } | undefined;
}

/** `[start, end)` of a text, and what stands there when it is decoded; "" for a line end that is removed. */
interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `undefined` where nothing is to be undone. */
function viewOf(text: string, all: Iterable<Decoded>, isRemoved = false): View | undefined {
  const pieces: string[] = [];
  let length = 0;
  let at = 0;
  const places: number[] = [];
  const offsets: [from: number, to: number][] = [[0, 0]];
  for (const decoded of all) {
    pieces.push(text.slice(at, decoded.start), decoded.text);
    length += decoded.start - at + decoded.text.length;
    at = decoded.end;
    places.push(length);
    offsets.push([length, at]);
  }
  if (places.length === 0) return undefined;
  pieces.push(text.slice(at));
  length += text.length - at;
  const map = new Uint32Array(length + 1);
  for (const [index, [from, to]] of offsets.entries()) {
    const next = offsets[index + 1]?.[0] ?? length + 1;
    for (let unit = from; unit < next; unit++) map[unit] = to + unit - from;
  }
  return {
    text: pieces.join(""),
    originalOf: (start, end) => {
      if (!isRemoved) return { start: map[start] ?? 0, end: map[end] ?? 0 };
      // The text itself shows all others.
      const isJoined = hasWithin(places, start, end - 1);
      return isJoined ? { start: map[start] ?? 0, end: (map[end - 1] ?? 0) + 1 } : undefined;
    },
  };
}

function* matchesOf(
  text: string,
  pattern: RegExp,
  decode: (match: RegExpExecArray) => string,
): Generator<Decoded, void> {
  for (const match of text.matchAll(pattern)) {
    yield { start: match.index, end: match.index + match[0].length, text: decode(match) };
  }
}

/** True if one of the ascending `places` is in `(start, end]`. */
function hasWithin(places: readonly number[], start: number, end: number): boolean {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? Infinity) <= start) low = middle + 1;
    else high = middle;
  }
  return (places[low] ?? Infinity) <= end;
}

export function percentView(text: string): View | undefined {
  return viewOf(
    text,
    matchesOf(text, /%([0-7][\dA-Fa-f])/g, ([, code = ""]) => String.fromCharCode(Number.parseInt(code, 16))),
  );
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

export function jsonView(text: string): View | undefined {
  return viewOf(
    text,
    matchesOf(text, /\\+(?:u([\dA-Fa-f]{4})|(["'`\\/nrt]))/g, ([, code, sign = ""]) =>
      code === undefined ? (ESCAPED[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  );
}

/** Lines that a terminal, an editor or `util.inspect` wrapped: "abc\ndef", "'abc' +\n  'def'", "abc\\\ndef". */
export function unwrappedView(text: string): View | undefined {
  return viewOf(text, wraps(text), true);
}

/** Ends of lines in the middle of a long word. */
function* wraps(text: string): Generator<Decoded, void> {
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    const before = WRAP_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_WRAP), at));
    if (before === null) continue;
    WRAP_AFTER.lastIndex = at + 1;
    const after = WRAP_AFTER.exec(text);
    if (after !== null) yield { start: at - (before[1] ?? "").length, end: at + 1 + after[0].length, text: "" };
  }
}

/** UTF-16 units that {@link WRAP_BEFORE} reads. */
const LONGEST_WRAP = 16;
const WRAP_BEFORE = /[\w+/=.~%-] ?((?:["'`] ?\+ ?|\\)?\r?)$/;
const WRAP_AFTER = /[ \t]{0,40}["'`]?(?=[\w+/=.~%-])/y;

/** Base64 runs that may hold a text, with the text. */
export function* base64Texts(
  text: string,
): Generator<{ readonly start: number; readonly end: number; readonly text: string }> {
  for (const { index, 0: run } of text.matchAll(
    /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8000}={0,2}(?![A-Za-z0-9+/_-])/g,
  )) {
    const beginning = decodeBase64(run.slice(0, 32));
    if (!isPrintable(beginning)) continue;
    const decoded = decodeBase64(run);
    if (isPrintable(decoded)) yield { start: index, end: index + run.length, text: decoded };
  }
}

function isPrintable(text: string): boolean {
  return /^[\n\r\t -~]+$/.test(text);
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** One character per byte. */
function decodeBase64(base64: string): string {
  let decoded = "";
  let bits = 0;
  let count = 0;
  for (const sign of base64) {
    const value = ALPHABET.indexOf(sign === "-" ? "+" : sign === "_" ? "/" : sign);
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += String.fromCharCode((bits >> count) & 0xff);
  }
  return decoded;
}
