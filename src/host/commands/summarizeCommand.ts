/** "Forge: Summarize Context" and `/summarize`: now, and in words when it cannot be. */

import type { ForgeError } from "../../core/errors.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import type { MessageRange } from "../../core/history/summaries/summary.ts";
import type { Result } from "../../core/result.ts";
import type { Banner } from "../../protocol/toView.ts";
import type { CompactionOrder } from "../session/summaries/compactionOrder.ts";
import { busyNote } from "../words/busyNote.ts";
import { explain } from "../words/explain.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { localize } from "../../protocol/localize.ts";
import { formatTokens } from "../words/rowWords.ts";

/** What is asked for. */
export interface SummarizeWish {
  /** Absent: what the strategies plan. */
  readonly range?: MessageRange;
  /** What to look after, in the user's words. */
  readonly focus?: string;
}

type Notices = Pick<Presenter, "showBanner" | "dropNote">;

/** Summarizes now, on the user's word, and says what came of it where that is not seen. */
export async function summarize(
  session: Session,
  { range, focus = "" }: SummarizeWish,
  presenter: Notices,
): Promise<void> {
  const words = focus.trim();
  const wanted = { ...(range === undefined ? {} : { range }), ...(words === "" ? {} : { focus: words }) };
  const receipt = await summarizeWanted(session, wanted, presenter);
  if (receipt !== undefined) presenter.showBanner(saved(receipt));
}

/** Summarizes on the user's word; says why where nothing was, or not now. Of what was, the chat shows the place. */
export async function summarizeWanted(
  session: Session,
  wanted: Omit<CompactionOrder, "trigger">,
  presenter: Notices,
): Promise<CompactionReceipt | undefined> {
  if (session.activity !== "idle") {
    const text = localize("Messages can be summarized when this answer has ended.");
    presenter.showBanner(busyNote(session.activity, text));
    return undefined;
  }
  const done = await session.summaries.summarizeNow(wanted);
  presenter.dropNote(); // what the summary stood in the way of can be done now
  tellOutcome(done, session, presenter, wanted.range !== undefined);
  return done.ok ? done.value : undefined;
}

/** The place of the summary is seldom in sight when it is made. */
function saved({ tokensBefore, tokensAfter }: CompactionReceipt): Banner {
  const [before, after] = [formatTokens(tokensBefore), formatTokens(tokensAfter)];
  return {
    tone: "info",
    text: localize("Summarized: {0} → {1} tokens are sent. The originals stay.", before, after),
    actions: [{ label: localize("Show summary"), command: "showSummary" }],
  };
}

/** The same without a range; `focus` is what the summary is to dwell on. */
export function summarizeNow(session: Session, presenter: Notices, focus = ""): Promise<void> {
  return summarize(session, { focus }, presenter);
}

/** Says why nothing was summarized. */
function tellOutcome(
  done: Result<CompactionReceipt | undefined, ForgeError>,
  session: Session,
  presenter: Notices,
  isRange: boolean,
): void {
  if (!done.ok) {
    if (done.error.code !== "CANCELLED") presenter.showBanner(explain(done.error, session.connection.provider.label));
  } else if (done.value === undefined) {
    const text = isRange
      ? localize(
          "There is nothing to summarize in this range: the newest and the pinned messages are always sent as they are, and a summary of so little would not be smaller.",
        )
      : localize("There is nothing to summarize yet: the newest messages are always sent as they are.");
    presenter.showBanner({ tone: "info", text, actions: [] });
  }
}
