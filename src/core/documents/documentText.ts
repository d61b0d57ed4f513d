/**
 * The text of a document that is too large to be held as a whole: bytes in UTF-8 that can be read at any place, any
 * number of times. All marks of JSON are ASCII, so a text between two of them is whole.
 */
export interface DocumentText {
  /** In bytes. */
  readonly length: number;
  /** Bytes from `start` on: one at least, as many as are at hand. They stay as they are. */
  bytesFrom(start: number): Uint8Array;
  /** The text between two bytes; what is no UTF-8 becomes U+FFFD. */
  text(start: number, end: number): string;
}

/** From byte `start` to before byte `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Reads bytes one after the other. */
export class ByteCursor {
  at: number;
  readonly end: number;
  readonly #text: DocumentText;
  #bytes: Uint8Array = new Uint8Array();
  #bytesStart = 0;

  constructor(text: DocumentText, { start, end }: TextRange = { start: 0, end: text.length }) {
    this.#text = text;
    this.at = start;
    this.end = end;
  }

  /** The byte at `at`; -1 at the end. */
  get byte(): number {
    if (this.at >= this.end) return -1;
    const byte = this.#bytes[this.at - this.#bytesStart];
    if (byte !== undefined) return byte;
    this.#bytes = this.#text.bytesFrom(this.at);
    this.#bytesStart = this.at;
    if (this.#bytes.length === 0) this.at = this.end; // the file has become shorter
    return this.#bytes[0] ?? -1;
  }

  /** Moves past a string of JSON, which begins here; false when it has no end. */
  skipString(): boolean {
    this.at++;
    while (this.byte !== -1) {
      const bytes = this.#bytes;
      const end = Math.min(bytes.length, this.end - this.#bytesStart);
      let place = this.at - this.#bytesStart;
      let byte = 0;
      while (place < end && byte !== QUOTE) {
        byte = bytes[place] ?? 0;
        place += byte === BACKSLASH ? 2 : 1;
      }
      this.at = this.#bytesStart + place;
      if (byte === QUOTE) return true;
    }
    return false;
  }

  /** Moves to the next byte that is `wanted`; to the end if there is none. */
  find(wanted: number): void {
    for (; this.at < this.end; this.at = this.#bytesStart + this.#bytes.length) {
      if (this.byte === wanted || this.at === this.end) return;
      const found = this.#bytes.indexOf(wanted, this.at - this.#bytesStart);
      if (found < 0) continue;
      this.at = Math.min(this.#bytesStart + found, this.end);
      return;
    }
    this.at = this.end;
  }
}

/** Byte after the marks of byte order: a decoder takes one, the parser another. */
export function startOf(text: DocumentText): number {
  const isMark = (at: number): boolean => text.text(at, Math.min(at + 3, text.length)) === "\uFEFF";
  return isMark(0) ? (isMark(3) ? 6 : 3) : 0;
}
