/**
 * When language services report on files: an edit waits for what they say of it, as long as one may say anything, and
 * never long. Files go by their addresses; a notebook is one file with its cells.
 */

import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import type { TextProblem } from "../../../core/tools/addedProblems.ts";

/** The editor's errors and warnings. */
export interface EditorProblems {
  /** Files that are open in the workspace, also those that no editor shows. */
  openFiles(): readonly OpenFile[];
  openFile(file: string): OpenFile | undefined;
  /** Addresses of files that are open, or have problems. */
  knownFiles(): readonly string[];
  /** Calls `listener` after each report of a service, also one that changed nothing. */
  onDidReport(listener: (files: readonly string[]) => void): { dispose(): unknown };
  onDidClose(listener: (file: string) => void): { dispose(): unknown };
}

export interface OpenFile {
  readonly file: string;
  /** As tools take it. */
  readonly path: string;
  /** Of a notebook, those of its cells. */
  readonly languages: readonly string[];
  /** Another one after each change of the text. */
  readonly version: string;
  /** With `\n` or `\r\n` between lines. */
  readonly text: () => string;
  readonly problems: () => readonly FileProblem[];
}

export interface FileProblem extends TextProblem {
  /** Of a notebook. Counted from 1, as are `line` and `column`. */
  readonly cell?: number;
  readonly line: number;
  readonly column: number;
}

/** A report counts as complete after this silence: services report what they find in several steps. */
const QUIET_MS = 300;
/** Longest wait. A service that has nothing new to say may report nothing. */
const LONGEST_MS = 2_000;

export class ProblemReports {
  readonly #clock: Clock;
  readonly #editor: EditorProblems;
  /** Files that a service has looked at since they were opened. */
  readonly #reported: Set<string>;
  /** Languages of those files. */
  readonly #spoken = new Set<string>();
  /** Files for which a report was awaited in vain, and their languages where no service speaks any of them. */
  readonly #silentFiles = new Set<string>();
  readonly #silent = new Set<string>();
  readonly #waiting = new Set<(files: readonly string[]) => void>();
  readonly #disposables: readonly { dispose(): unknown }[];

  /** What is open by now has been looked at. */
  constructor(editor: EditorProblems, clock: Clock) {
    this.#editor = editor;
    this.#clock = clock;
    this.#reported = new Set(editor.knownFiles());
    this.#disposables = [
      editor.onDidReport((files) => {
        for (const file of files) this.#note(file);
        for (const listener of this.#waiting) listener(files);
      }),
      editor.onDidClose((file) => {
        this.#reported.delete(file);
        this.#silentFiles.delete(file);
      }),
    ];
  }

  /** True once the problems of a file that is open are those that its service finds. */
  isChecked(file: string): boolean {
    return this.#reported.has(file);
  }

  /** False where only silence can be expected: a wait was in vain, and no service has spoken since. */
  mayReport({ file, languages }: Pick<OpenFile, "file" | "languages">): boolean {
    if (this.isChecked(file)) return true;
    return !this.#silentFiles.has(file) && languages.some((language) => !this.#silent.has(language));
  }

  /** Listens from now on for a report on `file`, once it has another version than `version`. */
  expect(file: string, version?: string): ExpectedReport {
    const report = new ExpectedReport(this.#clock, () => this.#waiting.delete(listener));
    const listener = (files: readonly string[]): void => {
      report.note(files.includes(file) && this.#editor.openFile(file)?.version !== version);
    };
    this.#waiting.add(listener);
    return report;
  }

  /** Remembers that no service had anything to say of a file. */
  noteSilence({ file, languages }: Pick<OpenFile, "file" | "languages">): void {
    this.#silentFiles.add(file);
    for (const language of languages) if (!this.#spoken.has(language)) this.#silent.add(language);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #note(file: string): void {
    this.#reported.add(file);
    this.#silentFiles.delete(file);
    for (const language of this.#editor.openFile(file)?.languages ?? []) {
      this.#spoken.add(language);
      this.#silent.delete(language);
    }
  }
}

/** One wait for a report. Dispose after use. */
export class ExpectedReport {
  readonly #clock: Clock;
  readonly #stop: () => void;
  #isThere = false;
  #lastAtMs = 0;
  #restart: () => void = () => undefined;

  constructor(clock: Clock, stop: () => void) {
    this.#clock = clock;
    this.#stop = stop;
  }

  /** Takes a report, on the file or on others. */
  note(isOnFile: boolean): void {
    this.#isThere ||= isOnFile;
    this.#lastAtMs = this.#clock.nowMs();
    this.#restart();
  }

  /** Resolves when nothing more is expected, or on `cancel`; false when there was no report on the file. */
  async settled(cancel: CancelSignal): Promise<boolean> {
    if (cancel.aborted) return this.#isThere;
    let end: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    cancel.addEventListener("abort", end);
    const stopLimit = this.#clock.after(LONGEST_MS, end);
    let stopQuiet: () => void = () => undefined;
    this.#restart = () => {
      if (!this.#isThere) return;
      stopQuiet();
      stopQuiet = this.#clock.after(Math.max(0, this.#lastAtMs + QUIET_MS - this.#clock.nowMs()), end);
    };
    this.#restart();
    await done;
    this.#restart = () => undefined;
    cancel.removeEventListener("abort", end);
    stopLimit();
    stopQuiet();
    return this.#isThere;
  }

  dispose(): void {
    this.#stop();
  }
}
