/** Numbers and texts as bytes: varints of seven bits, least significant first, as in Protocol Buffers. */

const FIRST_CAPACITY = 1 << 12;
const GROWTH = 1.5;

export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** `value` is an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Its length and its UTF-16 units. */
  text(value: string): void {
    this.varint(value.length);
    for (let at = 0; at < value.length; at++) this.varint(value.charCodeAt(at));
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Not copied: valid until more is written. */
  toBytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(GROWTH * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
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
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || factor > 2 ** 49) throw new DamagedBytes("a number has no end");
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
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
