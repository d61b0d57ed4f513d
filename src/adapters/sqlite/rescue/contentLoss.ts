/**
 * Recognizes a file and a log that SQLite would open without a word though content is missing: they are of different
 * moments (a restored backup, a synchronized folder), or one was cut, emptied or removed. Nothing is written.
 *
 * What holds after a kill at any moment, and is checked here:
 *   - A checkpoint copies only commits of the log, so nothing in the file is newer than what the log shows, or other:
 *     two machines may have continued one conversation in a synchronized folder.
 *   - With its log, the tree of every table is whole, and every message with a record is there.
 *   - There is at least what `meta.json` counts, which is written after the commit.
 */

import { isUnsentRow } from "../../../core/store/journalRow.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { knownContent, type KnownContent } from "../knownContent.ts";
import type { DatabasePages, PageView } from "../pages/databasePages.ts";
import { readIntactJournal } from "./journalTree.ts";
import { messageIn, recordIn } from "./soundRows.ts";
import { isTreeWhole, MESSAGE_PAGE, newestRow, RECORD_PAGE, rowAt } from "../pages/tableWalk.ts";

/** Missing content; `undefined` if nothing is known to be. */
export function contentLoss(folder: string, pages: DatabasePages, calls: FileCalls): string | undefined {
  const known = knownContent(folder, calls);
  const found = contentOf(pages.committed);
  if (pages.hasCommits) {
    if (isLogOlder(pages)) return "the log is older than the database";
    if (pages.schemaVersion === 0 || !isConsistent(pages)) return "the log does not belong to the database";
  }
  if (found.messages < known.messages)
    return `${String(known.messages)} messages were stored, ${String(found.messages)} are there`;
  if (found.records < known.records)
    return `${String(known.records)} records were stored, ${String(found.records)} are there`;
  return undefined;
}

function isConsistent({ withoutLog, committed }: DatabasePages): boolean {
  const inFile = newestRow(withoutLog, RECORD_PAGE, recordIn);
  const shown = inFile && rowAt(committed, RECORD_PAGE, inFile.number);
  const isSameHistory = inFile === undefined || (shown && recordIn(shown)?.body) === inFile.body;
  const isWhole = [RECORD_PAGE, MESSAGE_PAGE].every((root) => isTreeWhole(committed, root));
  return isSameHistory && isWhole && contentOf(committed).messages >= messagesRecorded(committed);
}

/** True if the file shows content that its log hides: a log of an earlier moment beside it. */
export function isLogOlder(pages: DatabasePages): boolean {
  if (!pages.hasCommits) return false;
  const [file, shown] = [pages.withoutLog, pages.committed];
  const [fileHeader, header] = [headerOf(file), headerOf(shown)];
  return (
    contentOf(file).records > contentOf(shown).records ||
    fileHeader.changes > header.changes ||
    fileHeader.pages > header.pages ||
    isAnswerShorter(file, shown)
  );
}

/** Numbers of rows, by the newest readable ones. */
function contentOf(view: PageView): KnownContent {
  const record = newestRow(view, RECORD_PAGE, (cell) => recordIn(cell)?.number);
  const message = newestRow(view, MESSAGE_PAGE, (cell) => messageIn(cell)?.id);
  return { messages: (message ?? -1) + 1, records: (record ?? -1) + 1 };
}

/** Number of messages, by the newest readable record of one. */
function messagesRecorded(view: PageView): number {
  return (newestRow(view, RECORD_PAGE, (cell) => recordIn(cell)?.message) ?? -1) + 1;
}

/** Of the file format: the number of pages, and a number that grows with each opening that writes page 1. */
function headerOf(view: PageView): { readonly changes: number; readonly pages: number } {
  const page = view.page(1);
  if (page === undefined) return { changes: 0, pages: 0 };
  return { changes: page.readUInt32BE(24), pages: page.readUInt32BE(28) };
}

/** True if an answer that the log shows has fewer journal rows than the file: rows are removed only all together. */
function isAnswerShorter(file: PageView, shown: PageView): boolean {
  const [inFile, found] = [answersIn(file), answersIn(shown)];
  return [...inFile].some(([answer, rows]) => rows > (found.get(answer) ?? rows));
}

/** Number of journal rows by step and time of its first row, since a step may begin anew; none if they are damaged. */
function answersIn(view: PageView): ReadonlyMap<string, number> {
  const journal = (readIntactJournal(view) ?? []).filter((row) => !isUnsentRow(row));
  const begun = new Map(journal.filter(({ seq }) => seq === 0).map((row) => [row.stepId, row.createdAtMs]));
  const rows = new Map<string, number>();
  for (const { stepId } of journal) {
    const answer = `${stepId} ${String(begun.get(stepId))}`;
    rows.set(answer, (rows.get(answer) ?? 0) + 1);
  }
  return rows;
}
