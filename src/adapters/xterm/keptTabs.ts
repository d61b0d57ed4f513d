/**
 * Tabs as characters: a terminal only moves its cursor, but a file that is printed has tabs, and an edit of it needs them.
 * xterm.js has no public way to hear of a tab, so this reaches into the parser of the pinned version.
 */

import type { Terminal } from "@xterm/headless";

/** A noncharacter, which programs do not print, in the cell where a tab began. */
export const TAB_CODE = 0xfdd0;

interface Line {
  readonly hasContent: (column: number) => number;
  readonly setCellFromCodepoint: (column: number, code: number, width: number, attributes: unknown) => void;
}

/** What is used of the inside of xterm.js 6.0.0. */
interface Core {
  readonly _inputHandler: {
    readonly _curAttrData: unknown;
    readonly _activeBuffer: {
      x: number;
      readonly y: number;
      readonly ybase: number;
      readonly lines: { readonly get: (row: number) => Line | undefined };
      nextStop(): number;
    };
    readonly _parser: { readonly setExecuteHandler: (flag: string, handler: () => boolean) => void };
    tab(): boolean;
  };
}

/** Marks the cell where a tab began, if the tab passes over empty cells only. */
export function keepTabs(terminal: Terminal): void {
  const input = (terminal as unknown as { readonly _core: Core })._core._inputHandler;
  input._parser.setExecuteHandler("\t", () => {
    const buffer = input._activeBuffer;
    const line = buffer.lines.get(buffer.ybase + buffer.y);
    const from = buffer.x;
    if (line === undefined || from >= terminal.cols) return input.tab();
    const isLast = from === terminal.cols - 1;
    const stop = isLast ? terminal.cols : buffer.nextStop();
    for (let column = from; column < stop; column++) if (line.hasContent(column) !== 0) return input.tab();
    line.setCellFromCodepoint(from, TAB_CODE, 1, input._curAttrData);
    // A tab in the last column takes it, or the next character would overwrite the tab.
    if (isLast) buffer.x = terminal.cols;
    return isLast || input.tab();
  });
}
