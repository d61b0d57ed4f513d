/** UTF-8 and UTF-16. */

/** An encoding. It takes pieces of a file, so it neither looks for a byte order mark nor writes one. */
export interface Codec {
  /** The editor's name. */
  readonly name: string;
  /** Bytes of each UTF-16 unit, where all have as many. */
  readonly unitBytes: 1 | 2 | undefined;
  /** Bytes without meaning become U+FFFD. */
  decode(bytes: Uint8Array): Promise<string>;
  encode(text: string): Promise<Uint8Array>;
}

/** By the editor's names; `undefined` for other encodings. */
export function unicodeCodec(name: string): Codec | undefined {
  switch (name) {
    case "utf8":
    case "utf8bom":
      return codec(name, undefined, "utf-8", (text) => new TextEncoder().encode(text));
    case "utf16le":
      return codec(name, 2, "utf-16le", (text) => Buffer.from(text, "utf16le"));
    case "utf16be":
      return codec(name, 2, "utf-16be", (text) => Buffer.from(text, "utf16le").swap16());
    default:
      return undefined;
  }
}

/** The mark with which a file in this encoding begins, where it has to. */
export function markOf(name: string): Uint8Array {
  const marks: Readonly<Record<string, readonly number[]>> = {
    utf8bom: [0xef, 0xbb, 0xbf],
    utf16le: [0xff, 0xfe],
    utf16be: [0xfe, 0xff],
  };
  return Uint8Array.from(marks[name] ?? []);
}

function codec(name: string, unitBytes: 2 | undefined, label: string, encode: (text: string) => Uint8Array): Codec {
  return {
    name,
    unitBytes,
    decode: (bytes) => Promise.resolve(new TextDecoder(label, { ignoreBOM: true }).decode(bytes)),
    encode: (text) => Promise.resolve(encode(text)),
  };
}
