/** The editor's encodings, as codecs of pieces of a file. */

import * as vscode from "vscode";
import { isDamagedUtf8 } from "../files/textEncoding.ts";
import { markLength } from "./spliceBytes.ts";
import { type Codec, unicodeCodec } from "./unicodeCodec.ts";

/** Encodings in which a character may have several bytes. All others of the editor have one for each. */
const SEVERAL_BYTES = new Set(["gbk", "gb2312", "gb18030", "cp950", "big5hkscs", "shiftjis", "eucjp", "euckr"]);

/**
 * The codec for a file that the editor shows in `encoding`. A file that is not UTF-8 at all, though the editor takes it
 * for that, is Windows-1252, as for reading.
 */
export function codecFor(encoding: string, bytes: Uint8Array): Codec {
  const isOther = encoding.startsWith("utf8") && markLength(bytes, encoding) === 0 && !isDamagedUtf8(bytes);
  return codecOf(isOther ? "windows1252" : encoding);
}

export function codecOf(encoding: string): Codec {
  return unicodeCodec(encoding) ?? editorCodec(encoding);
}

/** An ASCII letter before each piece, so that none looks like one that begins with a byte order mark. */
const BEFORE = "a";

function editorCodec(encoding: string): Codec {
  return {
    name: encoding,
    unitBytes: SEVERAL_BYTES.has(encoding) ? undefined : 1,
    async decode(bytes) {
      if (bytes.length === 0) return "";
      const piece = Buffer.concat([Buffer.from(BEFORE), bytes]);
      return (await vscode.workspace.decode(piece, { encoding })).slice(BEFORE.length);
    },
    async encode(text) {
      return text === "" ? new Uint8Array() : vscode.workspace.encode(text, { encoding });
    },
  };
}
