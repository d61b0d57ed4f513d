/** Numbers and texts as bytes: varints of seven bits, least significant first, as in Protocol Buffers. */

/** Bytes are written into chunks, not into an array that is copied as it grows. */
const CHUNK = 1 << 16;
/** Of one number. */
const MOST_BYTES = 8;
/** A byte from here on is not the last of its number. */
const CONTINUED = 0x80;

export class ByteWriter {
  /** Full ones. */
  readonly #chunks: Uint8Array[] = [];
  #chunksLength = 0;
  #chunk = new Uint8Array(CHUNK);
  /** In the last chunk. */
  #at = 0;

  get length(): number {
    return this.#chunksLength + this.#at;
  }

  /** `value` is an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    if (this.#at + MOST_BYTES > this.#chunk.length) this.#endChunk();
    let rest = value;
    while (rest >= CONTINUED) {
      this.#chunk[this.#at++] = (rest % CONTINUED) | CONTINUED;
      rest = Math.floor(rest / CONTINUED);
    }
    this.#chunk[this.#at++] = rest;
  }

  /** Its length and its UTF-16 units. */
  text(value: string): void {
    this.varint(value.length);
    for (let at = 0; at < value.length; at++) this.varint(value.charCodeAt(at));
  }

  raw(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#at === this.#chunk.length) this.#endChunk();
      const some = bytes.subarray(from, from + this.#chunk.length - this.#at);
      this.#chunk.set(some, this.#at);
      this.#at += some.length;
      from += some.length;
    }
  }

  /** Puts all bytes into `target`. */
  copyTo(target: Uint8Array, start: number): void {
    let at = start;
    for (const chunk of [...this.#chunks, this.#chunk.subarray(0, this.#at)]) {
      target.set(chunk, at);
      at += chunk.length;
    }
  }

  #endChunk(): void {
    this.#chunks.push(this.#chunk.subarray(0, this.#at));
    this.#chunksLength += this.#at;
    this.#chunk = new Uint8Array(CHUNK);
    this.#at = 0;
  }
}

/** Bytes that are not as they were written. */
export class DamagedBytes extends Error {}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    const first = this.#bytes[this.#at] ?? CONTINUED;
    if (first >= CONTINUED) return this.#longVarint();
    this.#at++;
    return first;
  }

  #longVarint(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || factor > 2 ** 49) throw new DamagedBytes("a number has no end");
      value += (byte & 0x7f) * factor;
      if (byte < CONTINUED) return value;
      factor *= CONTINUED;
    }
  }

  text(): string {
    let text = "";
    for (let left = this.varint(); left > 0; left--) text += String.fromCharCode(this.varint());
    return text;
  }

  /** A view. */
  raw(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new DamagedBytes("a part is cut off");
    const bytes = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return bytes;
  }
}
