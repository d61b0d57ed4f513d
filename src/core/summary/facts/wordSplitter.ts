/**
 * Splits texts into words, without the plain ones: letters, small but for the first, and the full stops or colons after
 * them. Nearly all words of a conversation are plain and name nothing, so no memory is spent on them.
 */

const BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff";
const [FIRST_NARROW_BLANK, LAST_NARROW_BLANK] = [0x2000, 0x200a];
/** `Dockerfile` and the like are names. */
const NAMING_END = "file";

const [OTHER, SEPARATOR, SMALL, CAPITAL, PAUSE] = [0, 1, 2, 3, 4];

export class WordSplitter {
  /** By UTF-16 unit. Letters and signs beyond ASCII count as small: no name's form has them. */
  readonly #kinds = new Uint8Array(0x1_0000).fill(SMALL, 0x80).fill(SMALL, 0x61, 0x7b).fill(CAPITAL, 0x41, 0x5b);

  /** `marks` separate words, as blanks do. */
  constructor(marks: string) {
    for (const mark of ".:…") this.#kinds[mark.charCodeAt(0)] = PAUSE;
    for (const mark of BLANKS + marks) this.#kinds[mark.charCodeAt(0)] = SEPARATOR;
    this.#kinds.fill(SEPARATOR, FIRST_NARROW_BLANK, LAST_NARROW_BLANK + 1);
  }

  /** In order. */
  wordsNotPlain(text: string): readonly string[] {
    const words: string[] = [];
    for (let start = 0; start < text.length; start++) {
      const first = this.#kindAt(text, start);
      if (first === SEPARATOR) continue;
      const letters = first === CAPITAL ? start + 1 : start;
      const lettersEnd = this.#endOf(SMALL, text, letters);
      const plainEnd = this.#endOf(PAUSE, text, lettersEnd);
      let end = plainEnd;
      while (end < text.length && this.#kindAt(text, end) !== SEPARATOR) end++;
      if (end > plainEnd || (first === CAPITAL && text.endsWith(NAMING_END, lettersEnd)))
        words.push(text.slice(start, end));
      start = end;
    }
    return words;
  }

  isOneWord(text: string): boolean {
    for (let at = 0; at < text.length; at++) if (this.#kindAt(text, at) === SEPARATOR) return false;
    return text !== "";
  }

  #kindAt(text: string, at: number): number {
    return this.#kinds[text.charCodeAt(at)] ?? OTHER;
  }

  #endOf(kind: number, text: string, start: number): number {
    let end = start;
    while (end < text.length && this.#kindAt(text, end) === kind) end++;
    return end;
  }
}
