/** Tells data, which can rightly repeat, from prose while a Markdown text is streamed: fences, tables and HTML are data. */

/** `SPACE` is whitespace in either. */
export const SPACE = 0;
export const PROSE = 1;
export const DATA = 2;
export type Area = typeof SPACE | typeof PROSE | typeof DATA;

const NEWLINE = 0x0a;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const PIPE = 0x7c;
const QUOTE = 0x3e;
const LESS = 0x3c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const DASH = 0x2d;

const FENCE_MARKS = 3;

/** Area of each UTF-16 unit. The lines that open a fence are prose, so blocks that repeat as a whole are prose, too. */
export class MarkdownArea {
  /** Mark of the open fence; 0: none. */
  #fence = 0;
  #fenceMarks = 0;
  /** Within a table, up to the next blank line. */
  #isTable = false;

  // The current line.
  /** Only indentation, quote and list markers so far. */
  #isLead = true;
  #isBlank = true;
  /** A row of a table, a line of HTML, or the address of a link. */
  #isRow = false;
  /** The line may be such a row by its first characters: `<name`, `[label` or `[label]`; 0: no. */
  #rowBegins = 0;
  #mark = 0;
  #marks = 0;
  /** True once characters other than marks followed the marks of a fence. */
  #hasInfo = false;
  #hasMarkInInfo = false;
  /** True while the line may be the one below a table's head: `--- | :-:`. */
  #isDelimiter = true;
  #hasPipe = false;
  #hasDash = false;

  /** True when text at the current place is data, whatever its line holds so far. */
  get isData(): boolean {
    return this.#fence !== 0 || this.#isTable || this.#isRow;
  }

  push(unit: number): Area {
    if (unit === NEWLINE) {
      this.#endLine();
      return SPACE;
    }
    if (isSpace(unit)) {
      if (this.#rowBegins === LESS) {
        this.#isRow = true; // with attributes, unlike `<s><s><s>`
        this.#rowBegins = 0;
      }
      return SPACE;
    }
    this.#isBlank = false;
    if (unit === PIPE) this.#hasPipe = true;
    else if (unit === DASH) this.#hasDash = true;
    else if (unit !== COLON) this.#isDelimiter = false;
    this.#readFence(unit);
    return this.isData ? DATA : this.#rowBegins !== 0 ? SPACE : PROSE;
  }

  #readFence(unit: number): void {
    if (this.#isLead) {
      if (unit === BACKTICK || unit === TILDE) {
        this.#isLead = false;
        this.#mark = unit;
        this.#marks = 1;
      } else if (unit === PIPE && this.#fence === 0) {
        this.#isLead = false;
        this.#isRow = true;
      } else if (unit === LESS || unit === OPEN_BRACKET) {
        this.#isLead = false;
        if (this.#fence === 0) this.#rowBegins = unit;
      } else if (!(this.#fence === 0 ? isLead(unit) : unit === QUOTE)) this.#isLead = false;
    } else if (this.#rowBegins === OPEN_BRACKET) {
      if (unit === CLOSE_BRACKET) this.#rowBegins = CLOSE_BRACKET;
    } else if (this.#rowBegins !== 0) {
      this.#isRow = this.#rowBegins === CLOSE_BRACKET && unit === COLON;
      if (this.#rowBegins === CLOSE_BRACKET || !isNameOfTag(unit)) this.#rowBegins = 0;
    } else if (this.#marks > 0) {
      if (unit === this.#mark && !this.#hasInfo) this.#marks++;
      else {
        this.#hasInfo = true;
        if (unit === BACKTICK) this.#hasMarkInInfo = true;
      }
    }
  }

  #endLine(): void {
    if (this.#fence !== 0) {
      if (this.#mark === this.#fence && this.#marks >= this.#fenceMarks && !this.#hasInfo) this.#fence = 0;
    } else if (this.#marks >= FENCE_MARKS && !(this.#mark === BACKTICK && this.#hasMarkInInfo)) {
      this.#fence = this.#mark;
      this.#fenceMarks = this.#marks;
    } else if (this.#isBlank) this.#isTable = false;
    else if (this.#isDelimiter && this.#hasPipe && this.#hasDash) this.#isTable = true;
    this.#isLead = true;
    this.#isBlank = true;
    this.#isRow = false;
    this.#rowBegins = 0;
    this.#mark = 0;
    this.#marks = 0;
    this.#hasInfo = false;
    this.#hasMarkInInfo = false;
    this.#isDelimiter = true;
    this.#hasPipe = false;
    this.#hasDash = false;
  }
}

/** Quote and list markers, after which a fence may begin; after a list marker none ends. */
function isLead(unit: number): boolean {
  return (
    unit === QUOTE || unit === DASH || unit === 0x2a || unit === 0x2b || unit === 0x2e || unit === 0x29 || isDigit(unit)
  );
}

function isNameOfTag(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || isDigit(unit);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0 || unit === 0x3000 || unit === 0xfeff;
}
