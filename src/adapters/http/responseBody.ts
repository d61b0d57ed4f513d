/** Reading of response bodies, as Node's fetch and the libraries on top of it provide them. */

import { beginsAsJson, BODY_LIMITS } from "./boundedResponse.ts";

interface HttpBody {
  readonly bodyUsed: boolean;
  readonly body: AsyncIterable<unknown> | null;
}

/**
 * The body of a bounded response as text; empty if it has been read already, as the libraries do with one that is no
 * stream.
 */
export async function bodyText({ bodyUsed, body }: HttpBody): Promise<string> {
  if (bodyUsed || body === null) return "";
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return decodeUtf8(chunks);
}

/** Decodes UTF-8. */
export function decodeUtf8(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

/** Buffers a body while it may be JSON: servers that do not stream, or fail, may still label it as a stream. */
export class UnstreamedBody {
  #chunks: Uint8Array[] = [];
  #sizeBytes = 0;
  #mayBeJson = true;
  #hasBegun = false;

  add(bytes: Uint8Array): void {
    if (!this.#mayBeJson) return;
    const isJson = this.#hasBegun ? undefined : beginsAsJson(bytes);
    this.#hasBegun ||= isJson !== undefined;
    this.#chunks.push(bytes);
    this.#sizeBytes += bytes.length;
    if (isJson === false || this.#sizeBytes > BODY_LIMITS.whole) this.drop();
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
