/**
 * The last reports of language services on open files. An edit waits for what they say of it, as long as one may say
 * anything, and never long. Files go by their addresses; a notebook is one file with its cells.
 *
 * Some services withdraw their problems when the last tab of a file is closed, also that of a diff, and report anew when
 * it is shown again: an empty report on a file that no tab shows says nothing.
 */

import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import type { TextProblem } from "../../../core/tools/addedProblems.ts";

/** The editor's errors and warnings. */
export interface EditorProblems {
  /** Files that are open in the workspace, also those that no editor shows. */
  openFiles(): readonly OpenFile[];
  openFile(file: string): OpenFile | undefined;
  /** Calls `listener` after each report of a service on open files, also one that changed nothing. */
  onDidReport(listener: (files: readonly OpenFile[]) => void): { dispose(): unknown };
  onDidClose(listener: (file: string) => void): { dispose(): unknown };
}

export interface OpenFile {
  readonly file: string;
  /** As tools take it. */
  readonly path: string;
  /** Of a notebook, those of its cells. */
  readonly languages: readonly string[];
  /** True where a tab shows it, also as a side of a diff. */
  readonly isShown: boolean;
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

/** Problems of a file, and its version when they were reported. */
export interface FileReport {
  readonly version: string;
  readonly problems: readonly FileProblem[];
}

export class ProblemReports {
  readonly #clock: Clock;
  /** Last reports on open files. */
  readonly #reports = new Map<string, FileReport>();
  /** Languages that no service speaks, as far as waits in vain tell. */
  readonly #silent = new Set<string>();
  /** Languages of files on which a service reported. */
  readonly #spoken = new Set<string>();
  readonly #waiting = new Set<(files: readonly OpenFile[]) => void>();
  readonly #disposables: readonly { dispose(): unknown }[];

  /** Takes it that services have looked at the files that are shown by now. */
  constructor(editor: EditorProblems, clock: Clock) {
    this.#clock = clock;
    for (const { file, version, isShown, problems } of editor.openFiles()) {
      if (isShown) this.#reports.set(file, { version, problems: problems() });
    }
    this.#disposables = [
      editor.onDidReport((files) => {
        const counted = files.filter((open) => this.#note(open));
        for (const listener of this.#waiting) listener(counted);
      }),
      editor.onDidClose((file) => {
        this.#reports.delete(file);
      }),
    ];
  }

  /** Undefined for a file that no service has looked at since it was opened. */
  reportOn(file: string): FileReport | undefined {
    return this.#reports.get(file);
  }

  /** False where only silence can be expected: a wait was in vain, and no service has spoken the language since. */
  mayReport({ languages }: Pick<OpenFile, "languages">): boolean {
    return languages.some((language) => !this.#silent.has(language));
  }

  /** Listens from now on for a report on `file`, once it has another version than `version`. */
  expect(file: string, version?: string): ExpectedReport {
    const report = new ExpectedReport(this.#clock, () => this.#waiting.delete(listener));
    const listener = (files: readonly OpenFile[]): void => {
      report.note(files.some((open) => open.file === file && open.version !== version));
    };
    this.#waiting.add(listener);
    return report;
  }

  /**
   * Remembers that a wait for a report on a file that is shown was in vain. Where a service speaks its language, that says
   * that there is nothing new to say: some services report nothing on a clean file.
   */
  noteSilence({ file, languages, version, problems }: OpenFile): void {
    const isSpoken = languages.some((language) => this.#spoken.has(language));
    if (isSpoken && !this.#reports.has(file)) this.#reports.set(file, { version, problems: problems() });
    for (const language of languages) if (!this.#spoken.has(language)) this.#silent.add(language);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** False for a report that says nothing. */
  #note({ file, languages, version, isShown, problems }: OpenFile): boolean {
    for (const language of languages) {
      this.#spoken.add(language);
      this.#silent.delete(language);
    }
    const found = problems();
    if (!isShown && found.length === 0) return false;
    this.#reports.set(file, { version, problems: found });
    return true;
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
