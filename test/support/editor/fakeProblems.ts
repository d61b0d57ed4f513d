/** Problems of an editor that has only what a test says. */

import type { EditorProblems, FileProblem, OpenFile } from "../../../src/host/tools/problems/problemReports.ts";

interface ShownFile {
  language: string;
  version: number;
  /** Lines, each with the problems on it behind `//!`: `const a = b //! E no b`. */
  lines: readonly string[];
  /** Text that its service looked at last. */
  checked: readonly string[];
  isShown: boolean;
}

export class FakeProblems implements EditorProblems {
  readonly #files = new Map<string, ShownFile>();
  readonly #reports = new Set<(files: readonly OpenFile[]) => void>();
  readonly #closes = new Set<(file: string) => void>();

  /** Number of listeners. */
  get listening(): number {
    return this.#reports.size + this.#closes.size;
  }

  /** Opens `file`, in the language of its extension. */
  open(file: string, ...lines: readonly string[]): void {
    this.#files.set(file, { language: file.split(".").at(-1) ?? "", version: 1, lines, checked: [], isShown: true });
  }

  edit(file: string, ...lines: readonly string[]): void {
    const shown = this.#file(file);
    shown.lines = lines;
    shown.version++;
  }

  /** The service looks at these files, and reports on them. */
  report(...files: readonly string[]): void {
    for (const file of files) this.#file(file).checked = this.#file(file).lines;
    this.#tell(files);
  }

  /** Closes the tab of a file, whose document stays open; a service that `withdraws` its problems reports none. */
  hide(file: string, withdraws = false): void {
    this.#file(file).isShown = false;
    if (!withdraws) return;
    this.#file(file).checked = [];
    this.#tell([file]);
  }

  show(file: string): void {
    this.#file(file).isShown = true;
  }

  /** Other problems in a file whose text does not change. */
  check(file: string, ...lines: readonly string[]): void {
    this.#file(file).lines = lines;
  }

  close(file: string): void {
    this.#files.delete(file);
    for (const listener of this.#closes) listener(file);
  }

  openFiles(): readonly OpenFile[] {
    return [...this.#files].map(([file, shown]) => openFile(file, shown));
  }

  openFile(file: string): OpenFile | undefined {
    const shown = this.#files.get(file);
    return shown === undefined ? undefined : openFile(file, shown);
  }

  onDidReport(listener: (files: readonly OpenFile[]) => void): { dispose(): unknown } {
    this.#reports.add(listener);
    return { dispose: () => this.#reports.delete(listener) };
  }

  onDidClose(listener: (file: string) => void): { dispose(): unknown } {
    this.#closes.add(listener);
    return { dispose: () => this.#closes.delete(listener) };
  }

  #tell(files: readonly string[]): void {
    const open = files.map((file) => openFile(file, this.#file(file)));
    for (const listener of this.#reports) listener(open);
  }

  #file(file: string): ShownFile {
    const shown = this.#files.get(file);
    if (shown === undefined) throw new Error(`${file} is not open`);
    return shown;
  }
}

const MARK = " //! ";

function openFile(file: string, { language, version, lines, checked, isShown }: ShownFile): OpenFile {
  return {
    file,
    path: file.replace("file:///", ""),
    languages: [language],
    isShown,
    version: String(version),
    text: () => lines.map((line) => line.split(MARK)[0] ?? "").join("\n"),
    problems: () => checked.flatMap(problemsOn),
  };
}

function problemsOn(line: string, index: number): readonly FileProblem[] {
  const [lineText = "", marks] = line.split(MARK);
  return (marks?.split(", ") ?? []).map((mark) => ({
    severity: mark.startsWith("E ") ? "error" : "warning",
    message: mark.slice(2),
    code: "",
    source: "",
    lineText,
    line: index + 1,
    column: 1,
  }));
}
