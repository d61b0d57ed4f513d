/**
 * What a terminal shows, as text: control sequences are taken out, and what a progress bar writes over itself is kept
 * once. Takes pieces that are cut anywhere.
 */

/** Where in a control sequence the text is. */
type State = "text" | "escape" | "parameters" | "string" | "stringEscape" | "charset";

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** A line that grows beyond this is passed on in pieces; nothing writes over so long a one. */
const MOST_LINE = 32_768;

/** Reads one stream. */
export class TerminalText {
  #state: State = "text";
  /** The line that is being written, which a carriage return begins anew. */
  #line = "";
  #isReturned = false;

  /** The lines that a piece has completed, with their ends. */
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

  /** The last line, which has no end. */
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
    else if (character === "\b") this.#line = this.#line.slice(0, -1);
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
      case "parameters": // a letter or another of these ends it; so does what cannot be in it
        if ((character >= "@" && character <= "~") || isControl(character)) this.#state = "text";
        break;
      case "string":
        if (character === BELL || character === "\u009c") this.#state = "text";
        else if (character === ESCAPE) this.#state = "stringEscape";
        break;
      case "stringEscape": // ESC \ ends it; anything else is a sequence of its own
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

/** C0, DEL and C1. */
function isControl(character: string): boolean {
  return character < " " || (character >= "\u007f" && character <= "\u009f");
}
