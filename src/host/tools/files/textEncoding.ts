/** Detects text and its encoding. */

import { isAscii } from "node:buffer";
import { failure, type ToolFailure } from "../toolFailure.ts";
import { ok, type Result } from "../../../core/result.ts";
import { type ByteSource, bytesInMemory } from "./byteSource.ts";

/** UTF-16 texts are decoded as a whole. */
const MOST_WIDE_BYTES = 16 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/** The editor's encoding names that differ from the WHATWG's. */
const EDITOR_NAMES: Readonly<Record<string, string>> = {
  shiftjis: "shift_jis",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  big5hkscs: "big5",
  cp950: "big5",
  cp437: "windows-1252",
  cp850: "windows-1252",
  macroman: "macintosh",
  koi8r: "koi8-r",
  koi8u: "koi8-u",
  utf8bom: "utf-8",
};

/** Bytes in UTF-8 or another encoding whose line end is byte 10. */
export interface TextSource {
  readonly source: ByteSource;
  /** Length of the byte order mark. */
  readonly startsAt: number;
}

/** Checks the beginning of a file. A zero byte means binary, unless a byte order mark says UTF-16. */
export function textSource(source: ByteSource, shown: string): Result<TextSource, ToolFailure> {
  const head = source.read(0, 8_192);
  const wide =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : "";
  if (wide !== "") {
    if (source.sizeBytes > MOST_WIDE_BYTES) {
      return failure("TOO_LARGE", `${shown} is a text in UTF-16 of ${source.sizeBytes} bytes, which is too large.`);
    }
    const text = new TextDecoder(wide).decode(source.read(0, source.sizeBytes));
    return ok({ source: bytesInMemory(new TextEncoder().encode(text)), startsAt: 0 });
  }
  if (head.includes(0)) return binaryFailure(shown);
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return ok({ source, startsAt: hasMark ? 3 : 0 });
}

export function binaryFailure(shown: string): Result<never, ToolFailure> {
  return failure("BINARY", `${shown} is not a text file, so it cannot be read as one.`);
}

/**
 * The encoding of a text: UTF-8 where it is, else the user's encoding. Without one, a text with more letters in UTF-8
 * than bytes that are not is UTF-8 with damage, and any other is Windows-1252. `undefined` for UTF-8 without damage.
 */
export function encodingOf({ source, startsAt }: TextSource, configured: string): string | undefined {
  const { letters, strayBytes } = countUtf8(source, startsAt);
  if (strayBytes === 0) return undefined;
  const encoding = encodingLabel(configured);
  return encoding === "utf-8" && letters < strayBytes ? "windows-1252" : encoding;
}

/** Decodes a piece of a text; `isWhole` where it ends with a character, or with the text. */
export function decodeText(bytes: Uint8Array, encoding: string | undefined, isWhole: boolean): string {
  const decoder = new TextDecoder(encoding ?? "utf-8", { ignoreBOM: true });
  // In one step, some versions of Node take Windows-1252 for Latin-1.
  const text = decoder.decode(bytes, { stream: true });
  return isWhole ? text + decoder.decode() : text;
}

/** The text of the bytes `[start, end)`, in order. */
export function* textChunks(
  source: ByteSource,
  start: number,
  end: number,
  encoding: string | undefined,
): Generator<string> {
  const decoder = new TextDecoder(encoding ?? "utf-8", { ignoreBOM: true });
  for (let at = start; at < end; at += CHUNK_BYTES) {
    yield decoder.decode(source.read(at, Math.min(CHUNK_BYTES, end - at)), { stream: true });
  }
  yield decoder.decode();
}

/** True for damaged UTF-8: bytes that are not valid, and mostly UTF-8 nevertheless. */
export function isDamagedUtf8(bytes: Uint8Array): boolean {
  const { letters, strayBytes } = countUtf8(bytesInMemory(bytes), 0);
  return letters >= strayBytes;
}

/** Letters beyond ASCII, and bytes that belong to none. A letter of which the text holds only a beginning counts as one. */
function countUtf8(source: ByteSource, startsAt: number): { readonly letters: number; readonly strayBytes: number } {
  let letters = 0;
  let strayBytes = 0;
  /** Bytes of the current letter that are there, and that are missing. */
  let [there, missing] = [0, 0];
  let [least, most] = [0x80, 0xbf];
  for (let offset = startsAt; offset < source.sizeBytes; offset += CHUNK_BYTES) {
    const chunk = source.read(offset, CHUNK_BYTES);
    if (chunk.length === 0) break; // the file was truncated meanwhile
    if (missing === 0 && isAscii(chunk)) continue;
    for (const byte of chunk) {
      if (missing > 0 && byte >= least && byte <= most) {
        there++;
        missing--;
        [least, most] = [0x80, 0xbf];
        if (missing === 0) letters++;
        continue;
      }
      if (missing > 0) strayBytes += there;
      missing = 0;
      if (byte < 0x80) continue;
      there = 1;
      missing =
        byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0;
      if (missing === 0) strayBytes++;
      least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
      most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    }
  }
  if (missing === 0) return { letters, strayBytes };
  return there > 1 ? { letters: letters + 1, strayBytes: strayBytes + 1 } : { letters, strayBytes: strayBytes + 1 };
}

function encodingLabel(configured: string): string {
  const name = configured.toLowerCase();
  const spelled = EDITOR_NAMES[name] ?? name.replace(/^windows(?=\d)/, "windows-").replace(/^iso8859/, "iso-8859-");
  try {
    return new TextDecoder(spelled).encoding;
  } catch {
    return "utf-8"; // unknown name
  }
}
