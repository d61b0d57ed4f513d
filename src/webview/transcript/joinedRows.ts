/** Answers that were continued, as they are shown: one row with the text of all. */
import type { MessageRow, Row } from "../../protocol/toView.ts";

export interface JoinedAnswer {
  /** With the text of all rows, under the id of the first. */
  readonly row: MessageRow;
  /** The last row: how the answer ended, and its calls. */
  readonly end: MessageRow;
}

/**
 * The joined answers among consecutive rows, by the id of their first row; `rest`: ids of the rows that are shown as
 * part of another. The same rows give the same objects.
 */
export function joinedRows(rows: readonly Row[]): {
  readonly answers: ReadonlyMap<string, JoinedAnswer>;
  readonly rest: ReadonlySet<string>;
} {
  const answers = new Map<string, JoinedAnswer>();
  const rest = new Set<string>();
  let last: { readonly first: string; readonly row: MessageRow } | undefined;
  for (const row of rows) {
    if (row.kind !== "message") continue;
    if (row.continues === null || row.continues !== last?.row.rowId) {
      last = { first: row.rowId, row };
      continue;
    }
    answers.set(last.first, joined(answers.get(last.first)?.row ?? last.row, row));
    rest.add(row.rowId);
    last = { first: last.first, row };
  }
  return { answers, rest };
}

const joinedBefore = new WeakMap<MessageRow, { readonly first: MessageRow; readonly answer: JoinedAnswer }>();

function joined(first: MessageRow, end: MessageRow): JoinedAnswer {
  const before = joinedBefore.get(end);
  if (before?.first === first) return before.answer;
  const row: MessageRow = {
    ...end,
    rowId: first.rowId,
    messageId: first.messageId,
    text: first.text + end.text,
    thinking: [first.thinking, end.thinking].filter((text) => text !== "").join("\n\n"),
    thinkingMs: first.thinkingMs === null && end.thinkingMs === null ? null : sum(first.thinkingMs, end.thinkingMs),
    meta: [first.meta, end.meta].filter((text) => text !== "").join(" + "),
    sent: first.sent === end.sent ? end.sent : "original",
    pinned: first.pinned && end.pinned,
    branch: first.branch,
  };
  const answer = { row, end };
  joinedBefore.set(end, { first, answer });
  return answer;
}

function sum(one: number | null, other: number | null): number {
  return (one ?? 0) + (other ?? 0);
}

/** Text of the answers that `row` continues; empty for any other row. */
export function textBefore(rows: readonly Row[], row: MessageRow): string {
  const before = row.continues === null ? undefined : rows.findLast(({ rowId }) => rowId === row.continues);
  return before?.kind === "message" ? textBefore(rows, before) + before.text : "";
}
