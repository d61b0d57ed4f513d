/** Bytes that are read in pieces, wherever they come from. */

/** Bytes of known length. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** At most `length` bytes from `offset` on; fewer at the end. */
  read(offset: number, length: number): Uint8Array;
}

/** Bytes that are in memory. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return { sizeBytes: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
