/** Bytes of texts that are ASCII alone. */

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Empty for what is no such text. */
export function bytesOfHex(text: string): Uint8Array {
  const isHex = text.length % 2 === 0 && /^[0-9a-f]*$/.test(text);
  return Uint8Array.from(isHex ? (text.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16));
}

export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function asciiText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
