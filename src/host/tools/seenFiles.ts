/** Which state of a file the model has seen, so that a file that changed since is not overwritten. */
export class SeenFiles {
  readonly #stamps = new Map<string, string>();

  /** The model has seen the file at `uri` in the state `stamp`. */
  note(uri: string, stamp: string): void {
    this.#stamps.set(uri, stamp);
  }

  /** The state that was seen last; `undefined` for a file that was not seen. */
  stampOf(uri: string): string | undefined {
    return this.#stamps.get(uri);
  }
}
