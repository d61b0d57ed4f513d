/** The notices in the chat that tell where a forked conversation comes from, and what an import could not read. */

import { originOf } from "../../core/history/fork.ts";
import { importReportOf } from "../../core/documents/foreign/importReport.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { MessageId } from "../../core/ids.ts";
import type { NoticeRow } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { noticeRow } from "../transcript/rows.ts";

/** The notices after the last copied or imported message; none after other messages. */
export function originNotices(history: FullHistory, afterId: MessageId): readonly NoticeRow[] {
  return [...importNotices(history, afterId), ...forkNotices(history, afterId)];
}

/** Line numbers that are named. */
const MOST_NAMED = 10;

function importNotices(history: FullHistory, afterId: MessageId): readonly NoticeRow[] {
  const report = importReportOf(history);
  if (report?.message !== afterId) return [];
  const named = report.damaged.slice(0, MOST_NAMED).map(({ line }) => String(line));
  const lines = [...named, ...(report.count > named.length ? ["…"] : [])].join(", ");
  const text = plural(
    report.count,
    "1 damaged line of the imported file could not be read: line {1}. Everything else is here, and the file was not changed.",
    "{0} damaged lines of the imported file could not be read: lines {1}. Everything else is here, and the file was not changed.",
    lines,
  );
  return [noticeRow("importReport", { tone: "warning", text, actions: [] })];
}

function forkNotices(history: FullHistory, afterId: MessageId): readonly NoticeRow[] {
  const origin = originOf(history);
  if (origin?.message === undefined || origin.message !== afterId) return [];
  const from = origin.title === "" ? localize("another conversation") : localize("“{0}”", origin.title);
  return [
    noticeRow("origin", {
      tone: "info",
      text: localize("Forked from {0}. What is above is a copy.", from),
      actions: [],
    }),
  ];
}
