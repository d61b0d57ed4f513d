/** The problems that an edit adds: those of the open files before it are compared with those after it. */

import { beginningOf } from "../../../core/cutText.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import type { AddedProblems, FoundProblem } from "../../../core/message.ts";
import { addedProblems } from "../../../core/tools/addedProblems.ts";
import { sanitizeText, type SanitizeCounts } from "../resultText.ts";
import { problemMessage } from "./problemLine.ts";
import {
  ProblemReports,
  type EditorProblems,
  type ExpectedReport,
  type FileProblem,
  type FileReport,
  type OpenFile,
} from "./problemReports.ts";

/** Problems that are told of the edited file, and of all others. */
const MOST_LISTED = 20;
const MOST_ELSEWHERE = 10;
/** UTF-16 units of a message that are read. */
const MOST_READ = 4_000;

/** A file that an edit is about to change. */
export interface EditedFile {
  /** Its address. */
  readonly file: string;
  readonly isNew: boolean;
  readonly before: string;
  /** Shows the file, since some services only look at files that are shown. */
  readonly show: () => Promise<unknown>;
}

/** Added problems without secrets or hidden characters. */
export interface ToldProblems extends AddedProblems {
  readonly changes: SanitizeCounts;
}

export class EditProblems {
  readonly #editor: EditorProblems;
  readonly #reports: ProblemReports;

  constructor(editor: EditorProblems, clock: Clock) {
    this.#editor = editor;
    this.#reports = new ProblemReports(editor, clock);
  }

  /** Takes the problems before an edit; waits for them where the file has just been opened. Dispose after use. */
  async before(edited: EditedFile, cancel: CancelSignal): Promise<ProblemsBefore> {
    const own = edited.isNew ? [] : (await this.#reportOn(edited, cancel))?.problems;
    const others = new Map<string, FileReport>();
    for (const { file } of this.#editor.openFiles()) {
      const report = file === edited.file ? undefined : this.#reports.reportOn(file);
      if (report !== undefined) others.set(file, report);
    }
    const expected = this.#reports.expect(edited.file, this.#editor.openFile(edited.file)?.version);
    return new ProblemsBefore({ edited, own, others }, this.#editor, this.#reports, expected);
  }

  async #reportOn({ file, show }: EditedFile, cancel: CancelSignal): Promise<FileReport | undefined> {
    const open = this.#editor.openFile(file);
    if (open === undefined || !this.#reports.mayReport(open)) return undefined;
    const last = this.#reports.reportOn(file);
    if (last !== undefined && (open.isShown || last.version === open.version)) return last;
    const expected = this.#reports.expect(file);
    try {
      await show();
      const isThere = await expected.settled(cancel);
      if (!isThere && !cancel.aborted) this.#reports.noteSilence(open);
      return this.#reports.reportOn(file);
    } finally {
      expected.dispose();
    }
  }

  dispose(): void {
    this.#reports.dispose();
  }
}

interface Before {
  readonly edited: EditedFile;
  /** Undefined where nobody knows them. */
  readonly own: readonly FileProblem[] | undefined;
  readonly others: ReadonlyMap<string, FileReport>;
}

/** The problems before one edit. */
export class ProblemsBefore {
  readonly #before: Before;
  readonly #editor: EditorProblems;
  readonly #reports: ProblemReports;
  readonly #expected: ExpectedReport;

  constructor(before: Before, editor: EditorProblems, reports: ProblemReports, expected: ExpectedReport) {
    this.#before = before;
    this.#editor = editor;
    this.#reports = reports;
    this.#expected = expected;
  }

  /**
   * Waits for the reports on the edit, which the editor shows by now; `undefined` when it added nothing. A file whose
   * text changes meanwhile is left out: those problems may be of what the person types.
   */
  async added(cancel: CancelSignal): Promise<ToldProblems | undefined> {
    const { edited, own, others } = this.#before;
    const open = this.#editor.openFile(edited.file);
    if (open === undefined || own === undefined || !this.#reports.mayReport(open)) return undefined;
    const isThere = await this.#expected.settled(cancel);
    if (cancel.aborted) return undefined;
    if (!isThere) this.#reports.noteSilence(open);
    const inFile = this.#reportNow(edited.file, open.version).flatMap(({ problems, path, text }) =>
      addedProblems(own, problems, { before: edited.before, after: text() }).map((each) => ({ ...each, path })),
    );
    const elsewhere = [...others].flatMap(([file, before]) =>
      this.#reportNow(file, before.version).flatMap(({ problems, path }) =>
        addedProblems(before.problems, problems).map((each) => ({ ...each, path })),
      ),
    );
    return told(inFile.toSorted(inOrder), elsewhere.toSorted(inOrder));
  }

  /** The report on a file that has this version now and had it then; at most one. */
  #reportNow(file: string, version: string): readonly (Pick<OpenFile, "path" | "text"> & FileReport)[] {
    const open = this.#editor.openFile(file);
    const report = this.#reports.reportOn(file);
    return open?.version === version && report?.version === version ? [{ ...open, ...report }] : [];
  }

  dispose(): void {
    this.#expected.dispose();
  }
}

type PlacedProblem = FileProblem & { readonly path: string };

function told(inFile: readonly PlacedProblem[], elsewhere: readonly PlacedProblem[]): ToldProblems | undefined {
  const chosen = [...inFile.slice(0, MOST_LISTED), ...elsewhere.slice(0, MOST_ELSEWHERE)];
  if (chosen.length === 0) return undefined;
  // Cut after secrets are gone, so that no half of one is left.
  const clean = chosen.map(({ message }) => sanitizeText(beginningOf(message, MOST_READ)));
  const listed = chosen.map(({ severity, path, cell, line, column, source }, index): FoundProblem => {
    const message = problemMessage(clean[index]?.text ?? "", source);
    return { severity, path, ...(cell === undefined ? {} : { cell }), line, column, message };
  });
  const sum = (of: keyof SanitizeCounts): number => clean.reduce((total, counts) => total + counts[of], 0);
  const changes = { secretCount: sum("secretCount"), hiddenCount: sum("hiddenCount") };
  return { listed, more: inFile.length + elsewhere.length - listed.length, changes };
}

/** Worst first, then by place. */
function inOrder(one: PlacedProblem, other: PlacedProblem): number {
  if (one.severity !== other.severity) return one.severity === "error" ? -1 : 1;
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return (one.cell ?? 0) - (other.cell ?? 0) || one.line - other.line || one.column - other.column;
}
