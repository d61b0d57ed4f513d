/** The form in which messages and summaries are sent now, as rows and markers show it. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { Summary } from "../../core/history/summaries/summary.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import { assertNever } from "../../core/result.ts";
import type { SummaryUse } from "../../protocol/summaryView.ts";
import type { SentView } from "../../protocol/toView.ts";
import { isWithinSent } from "./summaryVersions.ts";

export type SentNow = Pick<ContextManager, "history" | "sentAs" | "isSummarySent">;

export function sentView(context: SentNow, id: MessageId): SentView {
  const { kind } = context.sentAs(id);
  switch (kind) {
    case "original":
    case "excerpt":
    case "summary":
    case "notSent":
      return kind;
    case "excluded":
      return "original"; // a version that is being answered anew
    default:
      return assertNever(kind);
  }
}

/** Of a summary that may be used. */
export function summaryUse(context: SentNow, summary: Summary): SummaryUse {
  const { history } = context;
  if (!history.isUsable(summary.id) || context.isSummarySent(summary.id)) return "sent";
  if (isWithinSent(context, summary)) return "within";
  const first = firstReplaceable(history, summary);
  return first !== undefined && context.sentAs(first).kind === "notSent" ? "notSent" : "notNeeded";
}

/** The first message that it can stand for: pinned ones are sent in any case. */
function firstReplaceable(history: FullHistory, { covers }: Summary): MessageId | undefined {
  for (let id: number = covers.start; id < covers.end; id++) {
    const entry = history.entry(messageId(id));
    if (history.isVisible(entry) && !history.pins.has(entry.id)) return entry.id;
  }
  return undefined;
}
