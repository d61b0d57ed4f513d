/**
 * A screen by xterm.js, the emulator of the editor's own terminals. Rows that have left it are passed on at fixed places
 * of the output (each 1,024 units), so that the result does not depend on how the output was split.
 */

import xterm, { type IBuffer, type IBufferLine, type IMarker, type Terminal } from "@xterm/headless";
import type {
  CreateScreen,
  ScreenLine,
  ScreenListener,
  ScreenSize,
  ScreenView,
  TerminalScreen,
} from "../../core/tools/terminalScreen.ts";
import { characterWidths } from "./characterWidths.ts";
import { keepTabs, TAB_CODE } from "./keptTabs.ts";

/** UTF-16 units between the places where rows are passed on: each can end at most one row. */
const PASS_ON = 1_024;
/** Holds all rows that one piece ends. */
const SCROLLBACK = PASS_ON + 128;
const TAB_TEXT = String.fromCodePoint(TAB_CODE);

export const createXtermScreen: CreateScreen = (size, isTty, listener) => new XtermScreen(size, isTty, listener);

class XtermScreen implements TerminalScreen {
  readonly #terminal: Terminal;
  readonly #listener: ScreenListener;
  /** Units since rows were last passed on. */
  #since = 0;
  /** The first row that was not passed on; disposed with rows that the program erased. */
  #first: IMarker | undefined;
  /** A row was passed on since the beginning, so that the next one begins with the end of its line. */
  #hasLeft = false;
  /** Text of the last full screen that was closed. */
  #closedScreen: string | undefined;

  constructor({ columns, rows }: ScreenSize, isTty: boolean, listener: ScreenListener) {
    this.#listener = listener;
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK,
      convertEol: !isTty,
      allowProposedApi: true,
      logLevel: "off",
    });
    this.#terminal.unicode.register(characterWidths);
    this.#terminal.unicode.activeVersion = characterWidths.version;
    keepTabs(this.#terminal);
    this.#hearErasing();
    this.#hearFullScreen();
  }

  write(piece: string): Promise<void> {
    return new Promise((resolve) => {
      let from = 0;
      while (from < piece.length) {
        const part = piece.slice(from, from + PASS_ON - this.#since);
        from += part.length;
        this.#since = (this.#since + part.length) % PASS_ON;
        if (this.#since > 0) this.#terminal.write(part);
        else {
          this.#terminal.write(part, () => {
            this.#passOn();
          });
        }
      }
      this.#terminal.write("", resolve);
    });
  }

  view(): ScreenView {
    const { active, normal } = this.#terminal.buffer;
    const isFullScreen = active.type === "alternate";
    const first = isFullScreen ? 0 : this.#firstRow();
    const lines: ScreenLine[] = [];
    const cursor = { line: 0, column: active.cursorX };
    const cursorRow = active.baseY + active.cursorY;
    for (const { row, rows, line } of linesBetween(active, first, lastRow(active))) {
      if (cursorRow >= row && cursorRow < row + rows) {
        cursor.line = lines.length;
        cursor.column += (cursorRow - row) * this.#terminal.cols;
      }
      lines.push(line);
    }
    // The line of the first row may have begun in what left.
    if (!isFullScreen && this.#hasLeft && normal.getLine(first)?.isWrapped !== true) {
      lines.unshift({ text: "", columns: 0 });
      cursor.line += 1;
    }
    return { lines, cursor, isFullScreen };
  }

  text(): string {
    const { active, normal } = this.#terminal.buffer;
    const first = this.#firstRow();
    const rows = textBetween(normal, first, lastRow(normal) + 1);
    const begin = this.#hasLeft && normal.getLine(first)?.isWrapped !== true ? "\n" : "";
    const screen = active.type === "alternate" ? screenText(active) : this.#closedScreen;
    return begin + rows + (screen === undefined ? "" : `${rows === "" || rows.endsWith("\n") ? "" : "\n"}${screen}`);
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #firstRow(): number {
    return this.#first === undefined || this.#first.isDisposed ? 0 : this.#first.line;
  }

  #passOn(): void {
    const { active } = this.#terminal.buffer;
    if (active.type === "alternate") return; // nothing leaves the other screen meanwhile
    const first = this.#firstRow();
    const end = active.baseY;
    if (end <= first) return;
    const begin = this.#hasLeft && active.getLine(first)?.isWrapped !== true ? "\n" : "";
    this.#listener.left(begin + textBetween(active, first, end));
    this.#hasLeft = true;
    this.#first?.dispose();
    this.#first = this.#terminal.registerMarker(-active.cursorY);
  }

  /** "Erase saved lines", and the reset of the terminal. */
  #hearErasing(): void {
    const erase = (): boolean => {
      if (this.#terminal.buffer.active.type === "alternate") return false;
      this.#hasLeft = false;
      this.#first?.dispose();
      this.#first = undefined;
      this.#closedScreen = undefined;
      this.#listener.erased();
      return false;
    };
    this.#terminal.parser.registerCsiHandler({ final: "J" }, ([what]) => what === 3 && erase());
    this.#terminal.parser.registerEscHandler({ final: "c" }, erase);
  }

  /** The other screen is lost when its program closes it. */
  #hearFullScreen(): void {
    this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, (modes) => {
      const { active } = this.#terminal.buffer;
      if (active.type === "alternate" && modes.some((mode) => mode === 47 || mode === 1047 || mode === 1049)) {
        this.#closedScreen = screenText(active);
      }
      return false;
    });
  }
}

/** Row of the cursor, or a later one with text. */
function lastRow(buffer: IBuffer): number {
  const cursorRow = buffer.baseY + buffer.cursorY;
  let row = buffer.length - 1;
  while (row > cursorRow && isBlank(buffer.getLine(row))) row -= 1;
  return row;
}

function isBlank(line: IBufferLine | undefined): boolean {
  return line === undefined || line.translateToString(true) === "";
}

/** Rows as text, with a line feed between those that are not one line. */
function textBetween(buffer: IBuffer, first: number, end: number): string {
  let text = "";
  for (let row = first; row < end; row++) {
    const line = buffer.getLine(row);
    if (line === undefined) break;
    if (row > first && !line.isWrapped) text += "\n";
    // Behind its end, the ring of rows begins again.
    text += rowText(line, row + 1 < buffer.length ? buffer.getLine(row + 1) : undefined);
  }
  return text;
}

function* linesBetween(
  buffer: IBuffer,
  first: number,
  last: number,
): Generator<{ readonly row: number; readonly rows: number; readonly line: ScreenLine }> {
  for (let row = first; row <= last;) {
    let rows = 1;
    while (row + rows <= last && buffer.getLine(row + rows)?.isWrapped === true) rows += 1;
    const width = buffer.getLine(row)?.length ?? 0;
    const end = columnsOf(buffer.getLine(row + rows - 1));
    yield { row, rows, line: { text: textBetween(buffer, row, row + rows), columns: (rows - 1) * width + end } };
    row += rows;
  }
}

/** A row to its last character; one that goes on in the next row to its end. */
function rowText(line: IBufferLine, next: IBufferLine | undefined): string {
  const goesOn = next?.isWrapped === true;
  const end = goesOn ? line.length - (isEndLeftEmpty(line, next) ? 1 : 0) : undefined;
  const text = line.translateToString(!goesOn, 0, end);
  if (!text.includes(TAB_TEXT)) return text;
  return withTabs(line, text, end ?? (UNUSUAL.test(text) ? columnsOf(line) : text.length));
}

/** A wide character that did not fit has left the last cell empty. */
function isEndLeftEmpty(line: IBufferLine, next: IBufferLine): boolean {
  const last = line.getCell(line.length - 1);
  return next.getCell(0)?.getWidth() === 2 && last?.getChars() === "" && last.getWidth() === 1;
}

/**
 * The text of the cells before `end` (`text`, if no character takes other than one cell). A tab is one as long as nothing
 * was written into its cells.
 */
function withTabs(line: IBufferLine, text: string, end: number): string {
  const cells = text.length === end ? undefined : Array.from({ length: end }, (_, column) => cellText(line, column));
  let tabbed = "";
  let from = 0;
  const between = (first: number, last: number): string =>
    cells === undefined ? text.slice(first, last) : cells.slice(first, last).join("");
  for (let at = nextTab(0); at >= 0; at = nextTab(from)) {
    const stop = Math.min(Math.max(tabStop(at, line.length), at + 1), end);
    const isWhole = between(at + 1, stop).trim() === "";
    tabbed += between(from, at) + (isWhole ? "\t" : " ");
    from = isWhole ? stop : at + 1;
  }
  return tabbed + between(from, end);

  function nextTab(start: number): number {
    return cells === undefined ? text.indexOf(TAB_TEXT, start) : cells.indexOf(TAB_TEXT, start);
  }
}

function cellText(line: IBufferLine, column: number): string {
  const cell = line.getCell(column);
  return cell?.getChars() === "" && cell.getWidth() !== 0 ? " " : (cell?.getChars() ?? "");
}

/** May take no cell or two. */
const UNUSUAL = new RegExp(`[^\\0-\u02ff${TAB_TEXT}]`);

const TAB_WIDTH = 8;

function tabStop(column: number, columns: number): number {
  return Math.min(column - (column % TAB_WIDTH) + TAB_WIDTH, columns - 1);
}

/** Cells to the last one that was written. */
function columnsOf(line: IBufferLine | undefined): number {
  if (line === undefined) return 0;
  let column = line.length - 1;
  while (column >= 0 && line.getCell(column)?.getChars() === "" && line.getCell(column)?.getWidth() !== 0) column -= 1;
  return column + 1;
}

function screenText(buffer: IBuffer): string {
  const rows = textBetween(buffer, buffer.baseY, lastRow(buffer) + 1).trimEnd();
  return `[Last screen of a full-screen program:]\n${rows}\n`;
}
