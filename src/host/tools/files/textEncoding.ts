/** Detects text and its encoding. */

import { failure, type ToolFailure } from "../toolFailure.ts";
import { ok, type Result } from "../../../core/result.ts";
import { type ByteSource, bytesInMemory } from "./byteSource.ts";

/** UTF-16 texts are decoded as a whole. */
const MOST_WIDE_BYTES = 16 * 1024 * 1024;

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

/** `encoding` is undefined for UTF-8. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string | undefined;
}

/**
 * Decodes bytes that may end within a character: as UTF-8 if valid, else in the user's encoding, else as Windows-1252.
 */
export function decodeText(bytes: Uint8Array, configured: string): DecodedText {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    return { text, encoding: undefined };
  } catch {
    // Not UTF-8.
  }
  const encoding = encodingLabel(configured);
  return { text: new TextDecoder(encoding).decode(bytes, { stream: true }), encoding };
}

function encodingLabel(configured: string): string {
  const name = configured.toLowerCase();
  const spelled = EDITOR_NAMES[name] ?? name.replace(/^windows(?=\d)/, "windows-").replace(/^iso8859/, "iso-8859-");
  if (spelled === "utf-8" || spelled === "utf8") return "windows-1252";
  try {
    return new TextDecoder(spelled).encoding;
  } catch {
    return "windows-1252"; // unknown name
  }
}
