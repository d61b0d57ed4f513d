/** Sentences that a screen reader hears after a message from the host; none is announced twice. */
import type { ToViewBody } from "../../protocol/toView.ts";
import type { SentenceAnnouncer } from "./announcer.ts";
import { type AppState, streamingRow } from "../state/state.ts";
import { words } from "../words/words.ts";

export interface HostChange {
  readonly before: AppState;
  readonly after: AppState;
  readonly message: ToViewBody;
}

/** In order; `announcer` buffers the text of the streaming answer. */
export function announcementsFor(
  { before, after, message }: HostChange,
  announcer: SentenceAnnouncer,
): readonly string[] {
  switch (message.kind) {
    case "delta":
      return message.part === "text" ? [announcer.push(message.text)] : [];
    case "composer":
      if (message.sent === undefined) return [];
      return [message.sent === "queued" ? words.spokenQueued : words.spokenSent];
    case "rowChanged": {
      if (message.rowId !== streamingRow(before.rows)?.rowId || streamingRow(after.rows) !== null) return [];
      const row = message.row.kind === "message" ? message.row : null;
      const end = row === null || row.state === "complete" ? words.spokenComplete : row.stateText;
      return [`${announcer.finish()} ${end} ${row?.problem?.text ?? ""}`.trim()];
    }
    case "call":
      return message.call.state === "asking"
        ? [words.spokenQuestion(message.call.title, message.call.question?.folder ?? "")]
        : [];
    case "rowsAdded":
      return message.rows.flatMap((row) => {
        if (row.kind === "notice") return [row.text];
        return row.kind === "summary" ? [words.spokenSummaryAdded(row.messageCount)] : [];
      });
    case "status": {
      const { banner, activity } = after.status;
      const isOther = banner?.text !== before.status.banner?.text;
      const begins = activity === "summarizing" && before.status.activity !== "summarizing";
      return [...(isOther ? [banner?.text ?? ""] : []), ...(begins ? [words.summarizing] : [])];
    }
    default:
      return [];
  }
}
