/**
 * Draws a program's screen in a terminal of the editor: below what was written there before, so that no program can
 * change that, and without any control sequence of the program. Pure.
 */

import type { ScreenLine, ScreenSize, ScreenView } from "../../../core/tools/terminalScreen.ts";

const NO_LINE: ScreenLine = { text: "", columns: 0 };
const LINE_END = "\r\n";
const ERASE_BELOW = "\u001b[J";

export class TerminalDisplay {
  /** Of the editor's terminal. */
  #size: ScreenSize = { columns: 80, rows: 24 };
  /** Lines of the program's usual screen. */
  #lines: readonly ScreenLine[] = [];
  /** The drawn lines that the program can still change. */
  #drawn: readonly ScreenLine[] = [NO_LINE];
  /** Cells before the first of them, of the same line. */
  #offset = 0;
  /** Rows from the cursor down to the end of what is drawn; undefined: it is there. */
  #rowsBelow: number | undefined;
  /** Text that has left the program's screen since it was drawn. */
  #left = "";
  #isErased = false;

  resize(size: ScreenSize): void {
    this.#size = size;
  }

  left(text: string): void {
    this.#left += text;
  }

  /** The program has erased its screen: what was drawn of it stays, and the next screen begins below. */
  erased(): void {
    this.#left = "";
    this.#isErased = true;
  }

  /** Text to write so that `view` is to be seen. A full-screen program stands below the other lines. */
  draw(view: ScreenView): string {
    if (!view.isFullScreen) this.#lines = view.lines;
    const others = view.isFullScreen ? this.#lines : [];
    const cursor = { ...view.cursor, line: view.cursor.line + others.length };
    return this.#drawAll([...others, ...view.lines], cursor);
  }

  #drawAll(screen: readonly ScreenLine[], cursor: ScreenView["cursor"]): string {
    const wasMoved = this.#rowsBelow !== undefined;
    let sequence = this.#toEnd();
    if (this.#isErased) {
      if (this.#offset > 0 || this.#drawn.some(({ text }) => text !== "")) sequence += LINE_END;
      this.#drawn = [NO_LINE];
      this.#offset = 0;
    }
    const lines = withLeft(this.#left, screen);
    const change = this.#firstChange(lines);
    const place = Math.max(Math.min(change, lines.length - 1), this.#firstInReach());
    const first = place < lines.length ? place : change;
    const [before, after] = [this.#drawn[place], lines[first]];
    const isAppended = place === this.#drawn.length - 1 && after?.text.startsWith(before?.text ?? "") === true;
    if (before === undefined) {
      sequence += LINE_END + joined(lines.slice(first));
    } else if (after !== undefined && isAppended && !(wasMoved && this.#fillsRow(before))) {
      sequence += joined([{ ...after, text: after.text.slice(before.text.length) }, ...lines.slice(first + 1)]);
    } else {
      const column = place === 0 ? this.#offset % this.#size.columns : 0;
      sequence += `${up(this.#rowsFrom(place) - 1)}\r${right(column)}${ERASE_BELOW}${joined(lines.slice(first))}`;
    }
    this.#keep(screen);
    return sequence + this.#toCursor(cursor);
  }

  #keep(lines: readonly ScreenLine[]): void {
    if (this.#left !== "") {
      const begin = this.#left.lastIndexOf("\n") + 1;
      this.#offset = (begin === 0 ? this.#offset : 0) + this.#left.length - begin;
    }
    this.#left = "";
    this.#isErased = false;
    this.#drawn = lines;
  }

  /** Index of the first line that is not drawn as it is now. */
  #firstChange(lines: readonly ScreenLine[]): number {
    let index = 0;
    while (index < this.#drawn.length && this.#drawn[index]?.text === lines[index]?.text) index += 1;
    return index;
  }

  /** Index of the first drawn line that the cursor can move up to: what has left the terminal cannot be changed. */
  #firstInReach(): number {
    let index = this.#drawn.length - 1;
    let rows = this.#rowsOf(index);
    while (index > 0 && rows + this.#rowsOf(index - 1) <= this.#size.rows) {
      index -= 1;
      rows += this.#rowsOf(index);
    }
    return index;
  }

  #toEnd(): string {
    const rows = this.#rowsBelow;
    if (rows === undefined) return "";
    this.#rowsBelow = undefined;
    const last = this.#drawn.length - 1;
    return `${down(rows)}\r${right(this.#columnsOf(last) - (this.#rowsOf(last) - 1) * this.#size.columns)}`;
  }

  #toCursor(cursor: ScreenView["cursor"]): string {
    const { columns, rows } = this.#size;
    const column = cursor.column + (cursor.line === 0 ? this.#offset : 0);
    if (cursor.line === this.#drawn.length - 1 && column === this.#columnsOf(cursor.line)) return "";
    const row = Math.min(Math.floor(column / columns), this.#rowsOf(cursor.line) - 1);
    this.#rowsBelow = Math.min(this.#rowsFrom(cursor.line) - 1 - row, rows - 1);
    return `${up(this.#rowsBelow)}\r${right(column - row * columns)}`;
  }

  #rowsFrom(first: number): number {
    let rows = 0;
    for (let index = first; index < this.#drawn.length; index++) rows += this.#rowsOf(index);
    return rows;
  }

  #rowsOf(index: number): number {
    return Math.max(1, Math.ceil(this.#columnsOf(index) / this.#size.columns));
  }

  #columnsOf(index: number): number {
    return (this.#drawn[index]?.columns ?? 0) + (index === 0 ? this.#offset : 0);
  }

  /** The cursor cannot be set behind the last cell of a row. */
  #fillsRow(line: ScreenLine): boolean {
    return line.columns > 0 && line.columns % this.#size.columns === 0;
  }
}

/** The lines of what left the screen, then those of the screen, whose first one goes on where the others end. */
function withLeft(left: string, lines: readonly ScreenLine[]): readonly ScreenLine[] {
  if (left === "") return lines;
  const before = left.split("\n").map((text): ScreenLine => ({ text, columns: text.length }));
  const [first = NO_LINE, ...rest] = lines;
  const last = before.pop() ?? NO_LINE;
  const seam = { text: last.text + first.text, columns: last.columns + first.columns };
  return [...before, seam, ...rest];
}

function joined(lines: readonly ScreenLine[]): string {
  return lines.map(({ text }) => text).join(LINE_END);
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

function down(rows: number): string {
  return rows > 0 ? `\u001b[${rows}B` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : "";
}
