/** Reading the bodies of answers, by what Node's fetch and the libraries over it have in common. */

/** Enough of a body to tell what it is. */
const BODY_START_BYTES = 16_384;

/** The body of an answer; a `Response` has one. */
export interface HttpBody {
  readonly bodyUsed: boolean;
  readonly body: AsyncIterable<unknown> | null;
}

/**
 * The first pieces of a body, in order, up to the one that makes it `mostBytes` or more. None when it was read before, as the
 * libraries do with one that is no stream.
 */
export async function firstPieces(
  { bodyUsed, body }: HttpBody,
  mostBytes = BODY_START_BYTES,
): Promise<readonly Uint8Array[]> {
  if (bodyUsed || body === null) return [];
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    if (!(piece instanceof Uint8Array)) break;
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes >= mostBytes) break;
  }
  return pieces;
}

/** Is told of every piece of a body that arrives. */
export type OnBytes = (bytes: Uint8Array) => void;

/** What hands bytes on and tells of them; a `TransformStream` is made of it. */
export function hearing(onBytes: OnBytes): {
  transform(bytes: Uint8Array, controller: { enqueue(bytes: Uint8Array): void }): void;
} {
  return {
    transform(bytes, controller) {
      onBytes(bytes);
      controller.enqueue(bytes);
    },
  };
}
