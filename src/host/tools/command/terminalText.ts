/**
 * Converts a terminal's output to text: removes control sequences, and keeps only the last version of a line that a
 * progress bar overwrites. Takes chunks that are cut anywhere.
 */

import { placeBefore } from "../../../core/cutText.ts";

/** Position in a control sequence. */
type State = "text" | "escape" | "parameters" | "string" | "stringEscape" | "charset";

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** Longer lines are passed on in pieces; nobody overwrites so long a line. */
const MOST_LINE = 32_768;

export class TerminalText {
  #state: State = "text";
  /** The current line; a carriage return restarts it. */
  #line = "";
  #isReturned = false;

  /** The lines that a chunk has completed, with their line ends. */
  add(piece: string): string {
    let done = "";
    for (const character of piece) {
      if (this.#state !== "text") this.#inSequence(character);
      else if (character === "\n") {
        done += `${this.#line}\n`;
        this.#line = "";
        this.#isReturned = false;
      } else this.#inText(character);
      if (this.#line.length >= MOST_LINE) done += this.end();
    }
    return done;
  }

  /** The last, incomplete line. */
  end(): string {
    const rest = this.#line;
    this.#line = "";
    this.#isReturned = false;
    return rest;
  }

  #inText(character: string): void {
    if (character === ESCAPE) this.#state = "escape";
    else if (character === "\u009b") this.#state = "parameters";
    else if (character === "\u009d") this.#state = "string";
    else if (character === "\r") this.#isReturned = true;
    else if (character === "\b") this.#line = this.#line.slice(0, placeBefore(this.#line, this.#line.length - 1));
    else if (character === "\t" || !isControl(character)) {
      if (this.#isReturned) this.#line = "";
      this.#isReturned = false;
      this.#line += character;
    }
  }

  #inSequence(character: string): void {
    switch (this.#state) {
      case "escape":
        if (character === "[") this.#state = "parameters";
        else if ("]PX^_".includes(character)) this.#state = "string";
        else if ("()*+-./ #%".includes(character)) this.#state = "charset";
        else this.#state = "text";
        break;
      case "parameters": // a final character ends it, and so does an invalid one
        if ((character >= "@" && character <= "~") || isControl(character)) this.#state = "text";
        break;
      case "string":
        if (character === BELL || character === "\u009c") this.#state = "text";
        else if (character === ESCAPE) this.#state = "stringEscape";
        break;
      case "stringEscape": // ESC \ ends it; anything else begins another sequence
        this.#state = "text";
        if (character !== "\\") {
          this.#state = "escape";
          this.#inSequence(character);
        }
        break;
      case "charset":
      case "text":
        this.#state = "text";
        break;
    }
  }
}

function isControl(character: string): boolean {
  return character < " " || (character >= "\u007f" && character <= "\u009f");
}
