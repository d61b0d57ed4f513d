/** Finds the shell integration marks for the end of a command and the start of the prompt. */

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** `OSC 633 ; D ; exit code` or `OSC 633 ; A`; 133 is the same for any terminal. */
const MARK = new RegExp(
  `${ESCAPE}\\](?:633|133);(?:D(?:;(\\d{1,10}))?|A)(?:;[^${BELL}${ESCAPE}]{0,64})?(?:${BELL}|${ESCAPE}\\\\)`,
);
/** Longer than any mark. */
const MOST_MARK = 96;

export interface PromptMark {
  /** Undefined where the shell gave none. */
  readonly exitCode: number | undefined;
  /** UTF-16 units of the chunk before the mark. */
  readonly before: number;
}

/** Works on chunks that are cut anywhere. */
export class PromptMarkSearch {
  #rest = "";

  /** The first mark that a chunk contains or completes. */
  add(piece: string): PromptMark | undefined {
    const text = this.#rest + piece;
    const found = MARK.exec(text);
    const rest = this.#rest.length;
    // A mark may continue in the next chunk, and is found only once.
    this.#rest = text.slice(found === null ? 0 : found.index + found[0].length).slice(-MOST_MARK);
    if (found === null) return undefined;
    return { exitCode: found[1] === undefined ? undefined : Number(found[1]), before: Math.max(0, found.index - rest) };
  }
}
