/** Notices in the chat that tell which messages another machine wrote. */

import { isToolResult } from "../../core/context/request/excerpts.ts";
import { beginningOf } from "../../core/cutText.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import type { HistoryEntry } from "../../core/message.ts";
import { localize, plural } from "../../protocol/localize.ts";
import type { Action, NoticeRow } from "../../protocol/toView.ts";
import { noticeRow } from "./rows.ts";

export const VERSION_ROW = "notice-version";
const CONTINUED = "notice-machine-";
const MACHINE_LENGTH = 40;
const SHOW_VERSION: Action = { label: localize("Show it"), command: "showVersion" };

export function isContinuedNotice({ rowId }: { readonly rowId: string }): boolean {
  return rowId.startsWith(CONTINUED);
}

/** The notice after message `id` where another machine went on; none if it had written this one, too. */
export function continuedNotices(history: FullHistory, id: MessageId): readonly NoticeRow[] {
  const { elsewhere, entries } = history;
  if (elsewhere.isEmpty || !history.isVisible(history.entry(id))) return [];
  const nextShown = (from: number): HistoryEntry | undefined => {
    for (let next = from; next < entries.length; next++) {
      const entry = history.entry(messageId(next));
      if (history.isVisible(entry)) return entry;
    }
    return undefined;
  };
  const first = nextShown(id + 1);
  const machine = first === undefined ? undefined : elsewhere.machineOf(first.id);
  if (first === undefined || machine === undefined || machine === elsewhere.machineOf(id)) return [];
  let count = 0;
  for (let entry: HistoryEntry | undefined = first; entry !== undefined; entry = nextShown(entry.id + 1)) {
    if (elsewhere.machineOf(entry.id) !== machine) break;
    if (isShownAlone(entry)) count++;
  }
  const text = plural(count, "Continued on “{1}”: 1 message", "Continued on “{1}”: {0} messages", nameOf(machine));
  return [noticeRow(`machine-${String(first.id)}`, { tone: "info", text, actions: [] })];
}

/** The notice of a version that nobody has seen here. */
export function versionNotice({ machine, count }: { readonly machine: string; readonly count: number }): NoticeRow {
  const text = plural(
    count,
    "Another version from “{1}”: 1 message",
    "Another version from “{1}”: {0} messages",
    nameOf(machine),
  );
  return noticeRow("version", { tone: "info", text, actions: [SHOW_VERSION] });
}

/** False for what is part of the row of another message. */
export function isShownAlone(entry: HistoryEntry): boolean {
  return !isToolResult(entry) && entry.continues === undefined;
}

/** On one line, and without characters that would draw it in another order. */
function nameOf(machine: string): string {
  const line = machine.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" ? localize("another machine") : beginningOf(line, MACHINE_LENGTH);
}
