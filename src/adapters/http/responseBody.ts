/** Reading of response bodies, as Node's fetch and the libraries on top of it provide them. */

/** Enough to tell what a body is. */
const BODY_START_BYTES = 16_384;

interface HttpBody {
  readonly bodyUsed: boolean;
  readonly body: AsyncIterable<unknown> | null;
}

/**
 * First chunks of a body, in order, up to and including the one that reaches `mostBytes`. Empty if the body has been
 * read already, as the libraries do with one that is no stream.
 */
async function firstPieces({ bodyUsed, body }: HttpBody, mostBytes: number): Promise<readonly Uint8Array[]> {
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

/** Start of a body as text; empty if it has been read already. */
export async function bodyText(body: HttpBody, mostBytes = BODY_START_BYTES): Promise<string> {
  return textOf(await firstPieces(body, mostBytes));
}

/** Decodes UTF-8. */
export function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("utf8");
}

/** Called with each received chunk of a body. */
export type OnBytes = (bytes: Uint8Array) => void;

/** The same response; calls `onBytes` as its body is read. */
export function observedResponse(response: Response, onBytes: OnBytes): Response {
  if (response.body === null) return response;
  const observer = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes(bytes);
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(observer), response);
}

/** Larger bodies are no answer. */
const MOST_BYTES = 32_000_000;

/** Bytes of white space, and those with which a JSON answer or error starts: `[` and `{`. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENINGS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

/** Buffers a body while it may be JSON: servers that do not stream, or fail, may still label it as a stream. */
export class UnstreamedBody {
  #pieces: Uint8Array[] = [];
  #sizeBytes = 0;
  #mayBeJson = true;
  #hasBegun = false;

  add(bytes: Uint8Array): void {
    if (!this.#mayBeJson) return;
    const first = this.#hasBegun ? undefined : bytes.find((byte) => !SPACES.has(byte));
    this.#hasBegun ||= first !== undefined;
    this.#pieces.push(bytes);
    this.#sizeBytes += bytes.length;
    if ((first !== undefined && !OPENINGS.has(first)) || this.#sizeBytes > MOST_BYTES) this.drop();
  }

  /** Stops buffering, once the body has turned out to be a stream. */
  drop(): void {
    this.#mayBeJson = false;
    this.#pieces = [];
  }

  /** The complete body once it has ended; empty when it is not JSON. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }
}
