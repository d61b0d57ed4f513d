/** The version of each file that the model has seen, so that a file that changed since is not overwritten. */
export class SeenFiles {
  readonly #stamps = new Map<string, string>();

  note(uri: string, stamp: string): void {
    this.#stamps.set(uri, stamp);
  }

  /** The version seen last; `undefined` for an unseen file. */
  stampOf(uri: string): string | undefined {
    return this.#stamps.get(uri);
  }
}
