/** Port to what seals the objects of a replica; implemented over Node's cryptography. */

import type { ObjectHash } from "../history/segmentInfo.ts";
import type { Result } from "../result.ts";
import type { TextPiece } from "./segmentContent.ts";

/** It was changed, is of another place, or the key is of something else. */
export interface SealBroken {
  readonly code: "SEAL_BROKEN";
}

export interface SealedObject {
  readonly bytes: Uint8Array;
  /** Of this object alone, random. */
  readonly key: Uint8Array;
  readonly hash: ObjectHash;
}

/** `place` says what is sealed and where: an object that was moved to another place is not opened there. */
export interface ObjectCipher {
  hashOf(bytes: Uint8Array): ObjectHash;
  /** The text of all pieces, compressed first. */
  seal(text: Iterable<TextPiece>, place: string): Promise<SealedObject>;
  open(bytes: Uint8Array, key: Uint8Array, place: string): Promise<Result<string, SealBroken>>;
  /** A key under another one. */
  wrap(key: Uint8Array, under: Uint8Array, place: string): Uint8Array;
  unwrap(wrapped: Uint8Array, under: Uint8Array, place: string): Result<Uint8Array, SealBroken>;
  newKey(): Uint8Array;
}
