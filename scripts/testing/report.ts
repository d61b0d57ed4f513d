/** Prints the output of parallel parts one after another, in order. */

interface ReportOfPart {
  /** Prints `line` as soon as the earlier parts have ended. */
  readonly print: (line: string) => void;
  readonly end: () => void;
}

export class Report {
  readonly #show: (line: string) => void;
  readonly #parts: { lines: string[]; hasEnded: boolean }[] = [];

  /** `show` receives the lines in the order of the parts. */
  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  /** Adds a part after the existing ones. */
  begin(): ReportOfPart {
    const part = { lines: [] as string[], hasEnded: false };
    this.#parts.push(part);
    return {
      print: (line) => {
        part.lines.push(line);
        this.#showNext();
      },
      end: () => {
        part.hasEnded = true;
        this.#showNext();
      },
    };
  }

  #showNext(): void {
    for (let [first] = this.#parts; first !== undefined; [first] = this.#parts) {
      for (const line of first.lines.splice(0)) this.#show(line);
      if (!first.hasEnded) return;
      this.#parts.shift();
    }
  }
}
