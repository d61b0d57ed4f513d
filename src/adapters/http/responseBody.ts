/** Reading the bodies of answers, by what Node's fetch and the libraries over it have in common. */

/** Enough of a body to tell what it is. */
const BODY_START_BYTES = 16_384;

/** The body of an answer; a `Response` has one. */
interface HttpBody {
  readonly bodyUsed: boolean;
  readonly body: AsyncIterable<unknown> | null;
}

/**
 * The first pieces of a body, in order, up to the one that makes it `mostBytes` or more. None when it was read before, as the
 * libraries do with one that is no stream.
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

/** The beginning of a body as text. Empty when it was read before. */
export async function bodyText(body: HttpBody, mostBytes = BODY_START_BYTES): Promise<string> {
  return textOf(await firstPieces(body, mostBytes));
}

/** What pieces of a body say together, in UTF-8. */
export function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("utf8");
}

/** Is told of every piece of a body that arrives. */
export type OnBytes = (bytes: Uint8Array) => void;

/** The same answer, whose body tells `onBytes` of each piece that is read. */
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

/** More than that is no answer. */
const MOST_BYTES = 32_000_000;

/** The bytes of white space, and those that JSON worth reading begins with: `[` and `{`. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENINGS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

/** Keeps a body as long as it may be JSON: servers that do not stream, or fail, may still call it a stream. */
export class UnstreamedBody {
  #pieces: Uint8Array[] = [];
  #sizeBytes = 0;
  #mayBeJson = true;
  #hasBegun = false;

  /** Takes the next bytes. */
  add(bytes: Uint8Array): void {
    if (!this.#mayBeJson) return;
    const first = this.#hasBegun ? undefined : bytes.find((byte) => !SPACES.has(byte));
    this.#hasBegun ||= first !== undefined;
    this.#pieces.push(bytes);
    this.#sizeBytes += bytes.length;
    if ((first !== undefined && !OPENINGS.has(first)) || this.#sizeBytes > MOST_BYTES) this.drop();
  }

  /** It is a stream. */
  drop(): void {
    this.#mayBeJson = false;
    this.#pieces = [];
  }

  /** All of it, once it has ended; nothing where it is no JSON. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }
}
