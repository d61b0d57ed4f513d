/** Reading of response bodies, as Node's fetch and the libraries on top of it provide them. */

/** Enough to tell what a body is. */
const BODY_START_BYTES = 16_384;

interface HttpBody {
  readonly bodyUsed: boolean;
  readonly body: AsyncIterable<unknown> | null;
}

/**
 * First chunks of a body, in order, up to and including the one that reaches `maxBytes`. Empty if the body has been
 * read already, as the libraries do with one that is no stream.
 */
async function firstChunks({ bodyUsed, body }: HttpBody, maxBytes: number): Promise<readonly Uint8Array[]> {
  if (bodyUsed || body === null) return [];
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) break;
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes >= maxBytes) break;
  }
  return chunks;
}

/** Start of a body as text; empty if it has been read already. */
export async function bodyText(body: HttpBody, maxBytes = BODY_START_BYTES): Promise<string> {
  return decodeUtf8(await firstChunks(body, maxBytes));
}

/** Decodes UTF-8. */
export function decodeUtf8(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
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
const MAX_BYTES = 32_000_000;

/** Bytes of white space, and those with which a JSON answer or error starts: `[` and `{`. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENINGS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

/** Buffers a body while it may be JSON: servers that do not stream, or fail, may still label it as a stream. */
export class UnstreamedBody {
  #chunks: Uint8Array[] = [];
  #sizeBytes = 0;
  #mayBeJson = true;
  #hasBegun = false;

  add(bytes: Uint8Array): void {
    if (!this.#mayBeJson) return;
    const first = this.#hasBegun ? undefined : bytes.find((byte) => !SPACES.has(byte));
    this.#hasBegun ||= first !== undefined;
    this.#chunks.push(bytes);
    this.#sizeBytes += bytes.length;
    if ((first !== undefined && !OPENINGS.has(first)) || this.#sizeBytes > MAX_BYTES) this.drop();
  }

  /** Stops buffering, once the body has turned out to be a stream. */
  drop(): void {
    this.#mayBeJson = false;
    this.#chunks = [];
  }

  /** The complete body once it has ended; empty when it is not JSON. */
  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }
}
