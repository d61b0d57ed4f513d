/** What the parts of a run print while they go on beside each other: one part after the other, in the order of their names. */

/** The text of one part. */
interface ReportOfPart {
  /** Shows `line` as soon as the parts before have ended. */
  readonly print: (line: string) => void;
  /** Nothing more comes of this part. */
  readonly end: () => void;
}

/** Shows the parts that were begun with {@link Report.begin}, in that order. */
export class Report {
  readonly #show: (line: string) => void;
  readonly #parts: { lines: string[]; hasEnded: boolean }[] = [];

  /** `show` gets the lines, in the order of the parts. */
  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  /** Adds a part after those that are there. */
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
