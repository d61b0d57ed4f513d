/**
 * The text of a document that is too large to be held as a whole: bytes in UTF-8 that can be read at any place, any
 * number of times. All marks of JSON are ASCII, so a text between two of them is whole.
 */
export interface DocumentText {
  /** In bytes. */
  readonly length: number;
  /** Fills `bytes` from byte `start` on; returns how many there are. */
  read(bytes: Uint8Array, start: number): number;
  /** The text between two bytes; what is no UTF-8 becomes U+FFFD. */
  text(start: number, end: number): string;
}

/** From byte `start` to before byte `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Bytes that are read at once. */
const WINDOW_BYTES = 1 << 16;

/** Reads bytes one after the other. */
export class ByteCursor {
  at: number;
  readonly end: number;
  readonly #text: DocumentText;
  readonly #window: Uint8Array;
  #start = 0;
  /** Bytes in the window. */
  #length = 0;

  constructor(text: DocumentText, { start, end }: TextRange = { start: 0, end: text.length }) {
    this.#text = text;
    this.at = start;
    this.end = end;
    this.#window = new Uint8Array(Math.max(0, Math.min(WINDOW_BYTES, end - start)));
  }

  /** The byte at `at`; -1 at the end. */
  get byte(): number {
    const place = this.at - this.#start;
    if (place >= 0 && place < this.#length) return this.#window[place] ?? -1;
    if (this.at >= this.end) return -1;
    const length = this.#text.read(this.#window, this.at);
    this.#start = this.at;
    this.#length = Math.min(length, this.end - this.at);
    if (length > 0) return this.#window[0] ?? -1;
    this.at = this.end; // the file has become shorter
    return -1;
  }

  /** Moves past a string of JSON, which begins here; false when it has no end. */
  skipString(): boolean {
    this.at++;
    while (this.byte !== -1) {
      const [window, length] = [this.#window, this.#length];
      let place = this.at - this.#start;
      let byte = 0;
      while (place < length && byte !== QUOTE) {
        byte = window[place] ?? 0;
        place += byte === BACKSLASH ? 2 : 1;
      }
      this.at = this.#start + place;
      if (byte === QUOTE) return true;
    }
    return false;
  }

  /** Moves to the next byte that is `wanted`; to the end if there is none. */
  find(wanted: number): void {
    while (this.byte !== -1) {
      const found = this.#window.indexOf(wanted, this.at - this.#start);
      const isFound = found >= 0 && found < this.#length;
      this.at = this.#start + (isFound ? found : this.#length);
      if (isFound) return;
    }
    this.at = this.end;
  }
}

/** Byte after the marks of byte order: a decoder takes one, the parser another. */
export function startOf(text: DocumentText): number {
  const isMark = (at: number): boolean => text.text(at, Math.min(at + 3, text.length)) === "\uFEFF";
  return isMark(0) ? (isMark(3) ? 6 : 3) : 0;
}
