/** Random access to bytes in memory or in a file. */

export interface ByteSource {
  readonly sizeBytes: number;
  /** At most `length` bytes from `offset` on; fewer at the end. */
  read(offset: number, length: number): Uint8Array;
}

export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return { sizeBytes: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
