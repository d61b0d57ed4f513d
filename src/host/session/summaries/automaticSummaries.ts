/** Summaries that are made by themselves, and what is said of them in the chat: offers, failures, how far they are. */

import type { ContextPolicy } from "../../../core/context/contextSettings.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { CompactionReceipt } from "../../../core/history/records.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { localize } from "../../../protocol/localize.ts";
import type { Connection } from "../../connections/connections.ts";
import type { Change, ConversationEffect } from "../../../core/conversation/conversation.ts";
import { isChosen } from "../../../core/history/answeringModel.ts";
import { assertNever } from "../../../core/result.ts";
import { whatFailed } from "../../words/explain.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { noticeRow } from "../../transcript/rows.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionServices } from "../sessionServices.ts";
import { CompactionDriver, type CompactionDialog, type FailedTries } from "./compactionDriver.ts";
import type { OfferAnswer, SummaryOffer } from "./summaryOffer.ts";
import { offerNotice, triesNotice } from "./summaryWords.ts";
import { formatTokens } from "../../words/rowWords.ts";

/** How long it is shown what a summary has saved. */
const SAVED_SHOWN_MS = 10_000;

/** An offer that waits for the user. */
interface Offered {
  readonly offer: SummaryOffer;
  readonly answer: (answer: OfferAnswer) => void;
}

/** The summaries of one conversation that nobody has to ask for. */
export class AutomaticSummaries implements ConversationEffect, CompactionDialog {
  readonly driver: CompactionDriver;
  readonly #opened: OpenConversation;
  readonly #transcript: Transcript;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  /** By which summaries are planned. */
  #policy: ContextPolicy;
  #offered: Offered | undefined;
  #stopRetrying: () => void = () => undefined;
  #stopShowingSaved: () => void = () => undefined;

  constructor(
    opened: OpenConversation,
    transcript: Transcript,
    model: SessionModel,
    run: SessionRun,
    services: SessionServices,
  ) {
    this.#opened = opened;
    this.#transcript = transcript;
    this.#model = model;
    this.#services = services;
    this.#policy = opened.manager.policy;
    this.driver = new CompactionDriver(opened.conversation, model, run, services, this);
  }

  /** What the user is asked about, as long as it waits for an answer. */
  get offer(): SummaryOffer | undefined {
    return this.#offered?.offer;
  }

  /** The user's answer; nothing where nothing is offered. */
  answer(answer: OfferAnswer): void {
    this.#offered?.answer(answer);
  }

  /** Does what is due, since something has ended or changed. */
  checkDue(): void {
    this.driver.checkDue().catch(this.#services.reportBug);
  }

  /** The user wants it tried again, after failures. */
  tryAgain(): void {
    this.#transcript.remove(TRIES_ROW);
    this.driver.noteUserActed();
    this.checkDue();
  }

  /** A setting or a key changed; `before` answered until now. What is being prepared may not be wanted any more. */
  settingsChanged(before: Connection): void {
    const { policy } = this.#opened.manager;
    const isOther = policy !== this.#policy || !isSameService(this.#model.connection, before);
    this.#policy = policy;
    if (isOther && this.driver.isPreparing) this.driver.noteSourcesChanged();
    this.driver.noteUserActed();
    if (this.driver.isPreparing) this.checkDue();
  }

  /** What each kind of record means for summaries that are being written, are ready, or are offered. */
  afterChange({ records }: Change): void {
    const isRevised = records.some((record) => record.kind === "summaryState" && record.state === "replaced");
    for (const record of records) {
      switch (record.kind) {
        case "receipt":
          this.#showApplied(record.receipt);
          break;
        case "summary":
          // What is being written of the text before would put that back.
          if (record.summary.generatedBy === "user") this.driver.noteSourcesChanged();
          break;
        case "summaryState":
          this.#services.view.showSaved(null); // what it saved may not be so any more
          if (isRevised) this.driver.noteSourcesChanged();
          else this.driver.putOff(); // or it would be summarized anew at once
          break;
        case "leftOut":
          this.#services.view.showSaved(null);
          this.driver.noteSourcesChanged();
          break;
        case "visibility":
          this.#services.view.showSaved(null); // a summary that it is in does not count now, or does so again
          this.#checkOffer();
          break;
        case "pin":
          this.#checkOffer();
          break;
        case "model":
          if (isChosen(record)) this.driver.noteSwitched(); // what no longer fits is summarized while the user reads
          if (isChosen(record)) this.checkDue();
          break;
        case "setting":
          if (record.name === STRATEGY_SETTING) this.#replan();
          break;
        case "message":
        case "erasure":
        case "usage":
        case "title":
          break; // what is due after a message is done when its turn has ended
        default:
          assertNever(record);
      }
    }
  }

  /** The user wants none now; answers whether a request, or an order of theirs, waits for the one that is ended. */
  cancel(): "awaited" | "inBackground" | "nothing" {
    const { isAwaited, isPreparing } = this.driver;
    if (!isAwaited && !isPreparing) return "nothing";
    this.driver.putOff();
    return isAwaited ? "awaited" : "inBackground";
  }

  /** Ends what runs, for good. */
  async close(): Promise<void> {
    this.#stopRetrying();
    this.#stopShowingSaved();
    await this.driver.close();
  }

  /** Says in the chat that summarizing failed, and tries again at the time that is said. */
  showFailed(error: ForgeError, { isStopped, retryAtMs }: FailedTries): void {
    const { clock } = this.#services;
    const what = whatFailed(error, this.#model.connection.provider.label);
    const inMs = retryAtMs === undefined ? undefined : Math.max(0, retryAtMs - clock.nowMs());
    this.#transcript.change(TRIES_ROW, noticeRow("summaries", triesNotice(what, isStopped, inMs)));
    this.#stopRetrying();
    if (inMs === undefined) return;
    this.#stopRetrying = clock.after(inMs, () => {
      this.checkDue();
    });
  }

  /** Asks in the chat, and waits. What is withdrawn was not answered. */
  ask(offer: SummaryOffer, cancel: CancelSignal): Promise<OfferAnswer> {
    const transcript = this.#transcript;
    return new Promise((resolve) => {
      const answer = (given: OfferAnswer): void => {
        if (this.#offered === undefined) return;
        this.#offered = undefined;
        cancel.removeEventListener("abort", withdraw);
        transcript.remove(OFFER_ROW);
        resolve(given);
      };
      const withdraw = (): void => {
        answer("later");
      };
      this.#offered = { offer, answer };
      cancel.addEventListener("abort", withdraw);
      transcript.add([noticeRow("offer", offerNotice(offer))]);
      if (cancel.aborted) withdraw();
    });
  }

  #showApplied({ tokensBefore, tokensAfter }: CompactionReceipt): void {
    this.#stopRetrying();
    this.#transcript.remove(TRIES_ROW);
    const { clock, view } = this.#services;
    if (tokensAfter >= tokensBefore) return;
    view.showSaved(localize("Summarized: {0} → {1}", formatTokens(tokensBefore), formatTokens(tokensAfter)));
    this.#stopShowingSaved();
    this.#stopShowingSaved = clock.after(SAVED_SHOWN_MS, () => {
      view.showSaved(null);
    });
  }

  /** Another strategy holds from now on: what is being written, or is ready, was planned by the one before. */
  #replan(): void {
    this.#policy = this.#opened.manager.policy;
    this.driver.noteSourcesChanged();
    this.driver.noteUserActed();
    this.checkDue();
  }

  /** An offer that cannot be used any more is taken back, and made anew if it is due. */
  #checkOffer(): void {
    if (this.#offered === undefined || this.driver.canOffer) return;
    this.driver.noteSourcesChanged();
    this.checkDue();
  }
}

/** Whether requests go to the same place by the same model. Each change of a setting makes a new connection. */
function isSameService(one: Connection, other: Connection): boolean {
  return one.providerName === other.providerName && one.model === other.model && one.why === other.why;
}

const TRIES_ROW = "notice-summaries";
const OFFER_ROW = "notice-offer";
const STRATEGY_SETTING = "strategy";
