/** Keeps a body as long as it may be JSON: servers that do not stream, or fail, may still call it a stream. */

/** More than that is no answer. */
const MOST_BYTES = 32_000_000;

/** The bytes of white space, and those that JSON worth reading begins with: `[` and `{`. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENINGS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

/** What has arrived of one. */
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
