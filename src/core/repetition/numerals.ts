/** Digits of all scripts, so that "Step 41", "٤١" and "四十一" are seen to run on. */

/** The zeros of the decimal digits of the Basic Multilingual Plane; one to nine follow each. */
const ZEROS = [
  0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
  0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
  0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];
const CHINESE_DIGITS = "〇一二三四五六七八九";
const CHINESE_POWERS = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1_000],
  ["万", 10_000],
  ["萬", 10_000],
]);

/** By UTF-16 unit: 0 for what is no digit, a digit plus one, or a power of ten. */
const DIGITS = new Uint16Array(0x1_00_00);
for (const zero of ZEROS) for (let digit = 0; digit < 10; digit++) DIGITS[zero + digit] = digit + 1;
for (let digit = 0; digit < 10; digit++) DIGITS[CHINESE_DIGITS.charCodeAt(digit)] = digit + 1;
for (const [power, value] of CHINESE_POWERS) DIGITS[power.charCodeAt(0)] = value + 1;

/** A number that is read digit by digit. */
export class Numeral {
  #sum = 0;
  #digits = 0;
  /** Digits read. */
  length = 0;

  /** Modulo 2³². */
  get value(): number {
    return (this.#sum + this.#digits) | 0;
  }

  /** `digit`: what `digitOf` returned. */
  push(digit: number): void {
    this.length++;
    if (digit < 10) this.#digits = (Math.imul(this.#digits, 10) + digit) | 0;
    else {
      this.#sum = (this.#sum + Math.imul(this.#digits || 1, digit)) | 0;
      this.#digits = 0;
    }
  }

  clear(): void {
    this.#sum = 0;
    this.#digits = 0;
    this.length = 0;
  }
}

/** A digit, or a power of ten in Chinese; -1: `unit` is neither. */
export function digitOf(unit: number): number {
  return (DIGITS[unit] ?? 0) - 1;
}
