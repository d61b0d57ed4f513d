/** The marks that a shell prints for the editor where a command has ended and where its prompt begins. */

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** `OSC 633 ; D ; exit code` or `OSC 633 ; A`, or 133 from shells that talk to any terminal. */
const MARK = new RegExp(
  `${ESCAPE}\\](?:633|133);(?:D(?:;(\\d{1,10}))?|A)(?:;[^${BELL}${ESCAPE}]{0,64})?(?:${BELL}|${ESCAPE}\\\\)`,
);
/** Longer than any mark that is looked for. */
const MOST_MARK = 96;

/** A mark that was found. */
export interface PromptMark {
  /** Absent where the shell gave none. */
  readonly exitCode: number | undefined;
  /** How much of the piece stands before the mark. */
  readonly before: number;
}

/** Looks for the marks in output that comes in pieces, cut anywhere. */
export class PromptMarkSearch {
  #rest = "";

  /** The first mark that a piece holds or completes. */
  add(piece: string): PromptMark | undefined {
    const text = this.#rest + piece;
    const found = MARK.exec(text);
    const rest = this.#rest.length;
    // A mark may go on in the next piece, and is found once only.
    this.#rest = text.slice(found === null ? 0 : found.index + found[0].length).slice(-MOST_MARK);
    if (found === null) return undefined;
    return { exitCode: found[1] === undefined ? undefined : Number(found[1]), before: Math.max(0, found.index - rest) };
  }
}
