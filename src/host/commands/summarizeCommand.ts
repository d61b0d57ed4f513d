/** Summarizing at the user's request; says in the chat why nothing was summarized. */

import type { ForgeError } from "../../core/errors.ts";
import { sendsSummaries } from "../../core/context/contextSettings.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import type { MessageRange } from "../../core/history/summaries/summary.ts";
import type { Result } from "../../core/result.ts";
import type { Action, Banner } from "../../protocol/toView.ts";
import type { CompactionOrder } from "../session/summaries/compactionOrder.ts";
import { STRATEGY_LABELS } from "../words/strategyNames.ts";
import { info } from "../words/banners.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { localize } from "../../protocol/localize.ts";
import { formatTokens } from "../words/formatting.ts";

export interface SummarizeRequest {
  /** Absent: the range that the strategies plan. */
  readonly range?: MessageRange;
  /** Topic to emphasize, in the user's words. */
  readonly focus?: string;
}

type Notices = Pick<Presenter, "showBanner" | "dropNote">;

/** Summarizes and shows the result in a banner. */
export async function summarize(
  session: Session,
  { range, focus = "" }: SummarizeRequest,
  presenter: Notices,
): Promise<void> {
  const words = focus.trim();
  const wanted = { ...(range === undefined ? {} : { range }), ...(words === "" ? {} : { focus: words }) };
  const receipt = await summarizeOrExplain(session, wanted, presenter);
  if (receipt !== undefined)
    presenter.showBanner(savedBanner(receipt), session.summaries.automatic.whileSaving(receipt));
}

/**
 * Summarizes, and says why nothing was summarized. On success no banner is needed: the caller, or the chat, shows it.
 */
export async function summarizeOrExplain(
  session: Session,
  wanted: Omit<CompactionOrder, "trigger">,
  presenter: Notices,
): Promise<CompactionReceipt | undefined> {
  if (isRefusedByStrategy(session, presenter)) return undefined;
  if (session.activity !== "idle") {
    session.run.showBusy(localize("Messages can be summarized when this answer has ended."));
    return undefined;
  }
  const done = await session.summaries.summarizeNow(wanted);
  presenter.dropNote(); // it may report something that the summary makes possible
  showOutcome(done, session, presenter, wanted.range !== undefined);
  return done.ok ? done.value : undefined;
}

/** Says, where the strategy sends no summaries, that none is made; returns whether that is so. */
export function isRefusedByStrategy(session: Session, presenter: Notices): boolean {
  const { manager } = session.opened;
  if (sendsSummaries(manager.policy)) return false;
  const text = localize(
    "Nothing is summarized: the strategy “{0}” sends the newest {1} messages and no summaries, so one would be paid for and never sent.",
    STRATEGY_LABELS[manager.policy],
    manager.settings.parameters["slidingWindow.last"],
  );
  presenter.showBanner({ tone: "info", text, actions: [CHOOSE_STRATEGY] }, () => !sendsSummaries(manager.policy));
  return true;
}

const CHOOSE_STRATEGY: Action = { label: localize("Choose another strategy"), command: "chooseStrategy" };

/** With a link: the marker of the summary is seldom in view. */
function savedBanner({ tokensBefore, tokensAfter }: CompactionReceipt): Banner {
  const [before, after] = [formatTokens(tokensBefore), formatTokens(tokensAfter)];
  return {
    tone: "info",
    text: localize("Summarized: {0} → {1} tokens are sent. The originals stay.", before, after),
    actions: [{ label: localize("Show summary"), command: "showSummary" }],
  };
}

export function summarizeNow(session: Session, presenter: Notices, focus = ""): Promise<void> {
  return summarize(session, { focus }, presenter);
}

function showOutcome(
  done: Result<CompactionReceipt | undefined, ForgeError>,
  session: Session,
  presenter: Notices,
  isRange: boolean,
): void {
  if (!done.ok) {
    if (done.error.code !== "CANCELLED") session.model.showFailure(done.error);
  } else if (done.value === undefined) {
    const text = isRange
      ? localize(
          "There is nothing to summarize in this range: the newest and the pinned messages are always sent as they are, and a summary of so little would not be smaller.",
        )
      : localize("There is nothing to summarize yet: the newest messages are always sent as they are.");
    const { history } = session.opened.manager;
    const { revision } = history;
    const isUnchanged = session.model.whileUnchanged();
    presenter.showBanner(info(text), () => history.revision === revision && isUnchanged());
  }
}
