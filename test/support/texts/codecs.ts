/** Encodings as the editor knows them, made of the decoders of the platform. */

import { type Codec, unicodeCodec } from "../../../src/host/tools/edit/unicodeCodec.ts";

/** By the editor's names. */
export const CODECS: readonly Codec[] = [
  ...["utf8", "utf8bom", "utf16le", "utf16be"].flatMap((name) => unicodeCodec(name) ?? []),
  tableCodec("windows1252", "windows-1252", 1),
  tableCodec("koi8r", "koi8-r", 1),
  tableCodec("shiftjis", "shift_jis", undefined),
  tableCodec("gbk", "gbk", undefined),
  tableCodec("euckr", "euc-kr", undefined),
  tableCodec("cp950", "big5", undefined),
];

export function codecNamed(name: string): Codec {
  const codec = CODECS.find((known) => known.name === name);
  if (codec === undefined) throw new Error(`no codec ${name}`);
  return codec;
}

/** Unknown characters become question marks, as in the editor. */
function tableCodec(name: string, label: string, unitBytes: 1 | undefined): Codec {
  const decode = (bytes: Uint8Array): string => {
    const decoder = new TextDecoder(label, { ignoreBOM: true });
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  };
  const table = new Map<string, Uint8Array>();
  const learn = (...bytes: readonly number[]): void => {
    const character = decode(Uint8Array.from(bytes));
    if (Array.from(character).length !== 1 || character === "\ufffd") return;
    if (!table.has(character)) table.set(character, Uint8Array.from(bytes));
  };
  for (let first = 0; first < 0x100; first++) learn(first);
  if (unitBytes === undefined) {
    for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) learn(first, second);
  }
  return {
    name,
    unitBytes,
    decode: (bytes) => Promise.resolve(decode(bytes)),
    encode: (text) => Promise.resolve(Buffer.concat(Array.from(text, (one) => table.get(one) ?? Buffer.from("?")))),
  };
}
