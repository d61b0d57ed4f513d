/**
 * Rows after the history: interrupted answers to be decided, a notice that the last message has no answer, or that there
 * is a version that nobody has seen.
 */

import { isLastAnswerHidden } from "../../../core/history/branches/hiddenTurns.ts";
import { localize } from "../../../protocol/localize.ts";
import type { Banner, Row } from "../../../protocol/toView.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { noticeRow } from "../../transcript/rows.ts";
import type { PendingRows } from "../../transcript/transcript.ts";
import type { PlacedVersions } from "../placedVersions.ts";
import type { PendingRecovery } from "./pendingRecovery.ts";
import type { SessionRun } from "../sessionRun.ts";

/** One command: continues after the newest tool results, or answers the last question again. */
export const CONTINUE = { label: localize("Continue"), command: "retry" } as const;
export const RETRY = { label: localize("Retry"), command: "retry" } as const;

export class RowsAfterHistory implements PendingRows {
  readonly #opened: OpenConversation;
  readonly #recovery: PendingRecovery;
  readonly #versions: PlacedVersions;
  readonly #run: SessionRun;

  constructor(opened: OpenConversation, recovery: PendingRecovery, versions: PlacedVersions, run: SessionRun) {
    this.#opened = opened;
    this.#recovery = recovery;
    this.#versions = versions;
    this.#run = run;
  }

  /** None while an answer streams or when the conversation is read-only. */
  rows(): readonly Row[] {
    if (this.#run.activity === "streaming" || this.#run.isReadOnly) return [];
    return [...this.#undecided(), ...this.#versions.rows()];
  }

  #undecided(): readonly Row[] {
    const recoverable = this.#recovery.rows();
    if (recoverable.length > 0) return recoverable;
    const { history } = this.#opened.conversation;
    const last = history.lastVisible;
    if (last?.role !== "user" || isLastAnswerHidden(history)) return [];
    return [this.#recovery.failure ?? noticeRow("failed", last.batch === undefined ? NOT_ANSWERED : NOT_GONE_ON)];
  }
}

const NOT_ANSWERED: Banner = {
  tone: "info",
  text: localize("This message has no answer yet."),
  actions: [RETRY],
};
/** The results of the tools were not sent to the model. */
const NOT_GONE_ON: Banner = {
  tone: "info",
  text: localize("The answer stopped after its tools had run. Nothing is lost."),
  actions: [CONTINUE],
};
