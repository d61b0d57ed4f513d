/** UTF-16 to UTF-8 into a reused buffer, without a platform encoder. */

/** Maximum UTF-8 bytes per UTF-16 unit. */
export const BYTES_PER_UNIT = 3;

const REPLACEMENT = 0xfffd;

/**
 * Writes the UTF-8 of `text[start, end)` to the beginning of `bytes`, which must be large enough; returns the number of
 * bytes. A lone surrogate becomes U+FFFD, as everywhere where text is sent.
 */
export function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let size = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[size++] = unit;
    } else if (unit < 0x800) {
      bytes[size++] = 0xc0 | (unit >> 6);
      bytes[size++] = 0x80 | (unit & 63);
    } else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < end && isLowHalf(text.charCodeAt(i + 1))) {
      const codePoint = 0x10000 + ((unit - 0xd800) << 10) + (text.charCodeAt(++i) - 0xdc00);
      bytes[size++] = 0xf0 | (codePoint >> 18);
      bytes[size++] = 0x80 | ((codePoint >> 12) & 63);
      bytes[size++] = 0x80 | ((codePoint >> 6) & 63);
      bytes[size++] = 0x80 | (codePoint & 63);
    } else {
      const codePoint = unit >= 0xd800 && unit < 0xe000 ? REPLACEMENT : unit;
      bytes[size++] = 0xe0 | (codePoint >> 12);
      bytes[size++] = 0x80 | ((codePoint >> 6) & 63);
      bytes[size++] = 0x80 | (codePoint & 63);
    }
  }
  return size;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
