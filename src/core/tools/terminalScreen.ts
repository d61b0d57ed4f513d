/** The screen of a terminal, which reads the output of a program as a terminal does and gives what is to be seen. */

/** A line as the program meant it: rows that the screen wrapped are one. */
export interface ScreenLine {
  readonly text: string;
  /** Width in cells; characters of East Asia and emoji take two. */
  readonly columns: number;
}

/** Lines that the program can still change, down to the cursor or the last one with text. */
export interface ScreenView {
  readonly lines: readonly ScreenLine[];
  /** `column` in cells from the beginning of the line. */
  readonly cursor: { readonly line: number; readonly column: number };
  /** A full-screen program, as an editor or a pager, shows itself instead of them. */
  readonly isFullScreen: boolean;
}

export interface ScreenListener {
  /** Text that has left the screen, so that nothing changes it any more. A line goes on in the next call. */
  readonly left: (text: string) => void;
  /** The program has erased the screen with all that had left it. */
  readonly erased: () => void;
}

/** However the output is split into pieces, the text that left and the view are the same in the end. */
export interface TerminalScreen {
  /** Resolves when the piece has been read, which is done in slices. Pieces of a call that waits are read later. */
  write(piece: string): Promise<void>;
  view(): ScreenView;
  /** The lines below what left, and the last screen of a full-screen program. Call it when all has been read. */
  text(): string;
  dispose(): void;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** `isTty`: line feeds alone do not return to the first column, as the system adds the carriage returns. */
export type CreateScreen = (size: ScreenSize, isTty: boolean, listener: ScreenListener) => TerminalScreen;
