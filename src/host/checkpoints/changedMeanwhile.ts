/** Files that change while a command runs, and not by it: a restore must not take them back with it. */

export interface Watch {
  /** Grows until the end. URIs. */
  readonly files: ReadonlySet<string>;
  end(): void;
}

export class ChangedMeanwhile {
  readonly #watches = new Set<Set<string>>();

  watch(): Watch {
    const files = new Set<string>();
    this.#watches.add(files);
    return { files, end: () => void this.#watches.delete(files) };
  }

  /** The person, an edit, or another conversation's command changed `file`. */
  note(file: string): void {
    for (const files of this.#watches) files.add(file);
  }
}
