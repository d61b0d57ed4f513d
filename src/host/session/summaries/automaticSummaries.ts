/** Automatic summaries, and what the chat shows of them: offers, failures, savings. */

import { isDeepStrictEqual } from "node:util";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { ContextSettings } from "../../../core/context/contextSettings.ts";
import { isStrategySetting } from "../../../core/context/strategyParameters.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { CompactionReceipt, ConversationRecord } from "../../../core/history/records.ts";
import type { SummaryId } from "../../../core/ids.ts";
import { Cancellation, follow, type CancelSignal } from "../../../core/cancellation.ts";
import { localize } from "../../../protocol/localize.ts";
import { isProviderName, PROVIDER_LABELS } from "../../connections/providerCatalog.ts";
import type { Connection } from "../../connections/connections.ts";
import type { Change, ConversationEffect } from "../../../core/conversation/conversation.ts";
import { toolOf } from "../../../core/history/summaries/summary.ts";
import { isUserChoice } from "../../../core/history/modelChoice.ts";
import { isFromElsewhere } from "../../../core/history/writtenElsewhere.ts";
import { assertNever, ok, type Result } from "../../../core/result.ts";
import type { NoticeRow } from "../../../protocol/toView.ts";
import type { Rewrite } from "./compactionWork.ts";
import { editedText, type EditedText } from "./summaryEdits.ts";
import { failureReason } from "../../words/explain.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { noticeRow } from "../../transcript/rows.ts";
import { summaryPlace } from "../../transcript/summaryVersions.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionServices } from "../sessionServices.ts";
import { CompactionDriver, type CompactionDialog, type RetryState } from "./compactionDriver.ts";
import type { OfferAnswer, SummaryOffer } from "./summaryOffer.ts";
import { offerNotice, failureNotice, isWritten, placeText, writingNotice } from "./summaryTexts.ts";
import { formatTokens } from "../../words/formatting.ts";

/** How long the savings of a summary are shown. */
const SAVED_SHOWN_MS = 10_000;

interface Offered {
  /** Replaced when it is written. */
  offer: SummaryOffer;
  readonly answer: (answer: OfferAnswer) => void;
  /** Aborted when the offer ends. */
  readonly ended: AbortController;
  readonly offerId: number;
  /** Number of times that its texts were replaced. */
  revision: number;
  /** Stops the writing of its texts; absent while none are written. */
  writing: Cancellation | undefined;
  /** The user's texts, by index. */
  readonly texts: Map<number, string>;
}

export class AutomaticSummaries implements ConversationEffect, CompactionDialog {
  readonly driver: CompactionDriver;
  readonly #opened: OpenConversation;
  readonly #transcript: Transcript;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  /** The strategy and its parameters by which summaries were planned last. */
  #strategy: PlannedBy;
  #offered: Offered | undefined;
  /** Number of offers so far. */
  #offers = 0;
  /** The last saving, for some seconds. */
  #saved: { readonly text: string; readonly isTrue: () => boolean } | undefined;
  /** State that the notice of a failure tells. */
  #tries: RetryState | undefined;
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
    this.#strategy = strategyOf(opened.manager);
    this.driver = new CompactionDriver(opened.conversation, model, run, services, this);
  }

  /** The offer that awaits the user's answer, with the texts that the user has changed. */
  get offer(): SummaryOffer | undefined {
    if (this.#offered === undefined) return undefined;
    const { offer, texts } = this.#offered;
    const summaries = offer.summaries.map((each) => {
      const content = texts.get(each.index) ?? each.content;
      return content === undefined ? each : { ...each, content };
    });
    return { ...offer, summaries };
  }

  /** Changes the text of an offered summary; it is checked when it is used. Ignored for another offer. */
  editOffer(offerId: number, index: number, text: string): void {
    const offered = this.#offerOf(offerId);
    const summary = offered?.offer.summaries.find((each) => each.index === index);
    if (offered === undefined || summary?.isEditable !== true) return;
    if (text === summary.content) offered.texts.delete(index);
    else offered.texts.set(index, text);
    this.#showOffer(offered);
  }

  /** Discards the user's texts. */
  revertOffer(offerId: number): void {
    const offered = this.#offerOf(offerId);
    if (offered === undefined) return;
    offered.texts.clear();
    offered.revision++;
    this.#showOffer(offered);
  }

  /** True if a request waits for the answer to the offer, which can be given now. */
  get isAnswerAwaited(): boolean {
    return this.#offered?.offer.isNeeded === true && this.#offered.writing === undefined;
  }

  /** Has the offered summaries written that are only planned, so that they can be changed; see {@link rewriteOffer}. */
  writeOffer(offerId: number): Promise<Result<void, ForgeError>> {
    return this.#writeOffered(offerId, (cancel) => this.driver.writeOffered(cancel));
  }

  /** Has the offered summaries written anew, before they are used; an error leaves the offer as it is. */
  rewriteOffer(offerId: number, wanted: Rewrite): Promise<Result<void, ForgeError>> {
    return this.#writeOffered(offerId, (cancel) => this.driver.rewrite(wanted, cancel));
  }

  async #writeOffered(
    offerId: number,
    write: (cancel: CancelSignal) => Promise<Result<void, ForgeError>>,
  ): Promise<Result<void, ForgeError>> {
    const offered = this.#offerOf(offerId);
    if (offered === undefined) return ok(undefined);
    const writing = new Cancellation();
    const unfollow = follow(offered.ended.signal, writing);
    offered.writing = writing;
    this.#showOffer(offered);
    const done = await write(writing);
    unfollow();
    if (this.#offered !== offered) return ok(undefined); // withdrawn or answered meanwhile
    offered.writing = undefined;
    if (done.ok) {
      offered.texts.clear();
      offered.revision++;
      offered.offer = this.driver.offered(offered.offer.isNeeded) ?? offered.offer;
    }
    this.#showOffer(offered);
    return done;
  }

  /** Uses the offered summaries, with the user's texts; an error says why a text is refused. */
  async useOffer(): Promise<Result<void, ForgeError>> {
    const offered = this.#offered;
    if (offered === undefined || offered.writing !== undefined) return ok(undefined);
    const edited = new Map<number, EditedText>();
    for (const { index, covers } of offered.offer.summaries) {
      const text = offered.texts.get(index);
      if (text === undefined) continue;
      const { conversation } = this.#opened;
      const { messageCounter } = this.#services;
      const made = await editedText(text, covers, conversation, messageCounter, offered.ended.signal);
      if (!made.ok) return made;
      edited.set(index, made.value);
    }
    if (this.#offered !== offered) return ok(undefined);
    const replaced = edited.size === 0 ? ok(undefined) : this.driver.replaceTexts(edited);
    if (replaced.ok) offered.answer("yes");
    return replaced;
  }

  #offerOf(offerId: number): Offered | undefined {
    return this.#offered?.offerId === offerId && this.#offered.writing === undefined ? this.#offered : undefined;
  }

  #showOffer(offered: Offered): void {
    this.#transcript.change(OFFER_ROW, offerRow(offered));
    this.#services.view.update();
  }

  /** "Summarized: 5.6k → 2.3k", shortly after that and as long as it is so. */
  get saved(): string | undefined {
    return this.#saved?.isTrue() === true ? this.#saved.text : undefined;
  }

  /** A test of whether a compaction still saves what it did: its summaries are in use, in the same window. */
  whileSaving({ summaries }: CompactionReceipt): () => boolean {
    const { manager } = this.#opened;
    const { budgetTokens, history } = manager;
    const isUnchanged = this.#model.whileUnchanged();
    const isInUse = (id: SummaryId): boolean =>
      history.isUsable(id) && summaryPlace(history, history.summary(id).covers)?.shown.id === id;
    return () => isUnchanged() && manager.budgetTokens === budgetTokens && summaries.every(isInUse);
  }

  /** Ignored when there is no offer. */
  answer(answer: OfferAnswer): void {
    this.#offered?.answer(answer);
  }

  /** Called after something has ended or changed. */
  checkDue(): void {
    this.driver.checkDue().catch(this.#services.reportBug);
  }

  /** Tries again at the user's request, after failures. */
  tryAgain(): void {
    this.driver.askAgain();
    this.driver.noteUserActed();
    this.#checkTries();
    this.checkDue();
  }

  /**
   * Called after a change of setting or key; `before` is the previous connection. Cancels a preparation made for
   * another policy or service.
   */
  settingsChanged(before: Connection): void {
    const strategy = strategyOf(this.#opened.manager);
    const isSame = isDeepStrictEqual(strategy, this.#strategy);
    const isOther = !isSame || !isSameService(this.#model.connection, before);
    this.#strategy = strategy;
    this.driver.noteUserActed();
    this.#checkTries();
    const isAsked = this.#offered !== undefined && !this.#offered.offer.isNeeded; // else a request waits for the answer
    const isToAsk = this.#services.settings.current.askBeforeSummarizing;
    if (isAsked ? isOther || !isToAsk : isOther && this.driver.isPreparing) this.driver.noteSourcesChanged();
    if (isAsked || this.driver.isPreparing) this.checkDue();
  }

  /** What each kind of record means for summaries being written, ready or offered. */
  afterChange({ records }: Change): void {
    const isRevised = records.some((record) => record.kind === "summaryState" && record.state === "replaced");
    const isPlaced = isFromElsewhere(records);
    for (const record of records) {
      switch (record.kind) {
        case "receipt":
          if (!isPlaced) this.#showApplied(record.receipt);
          break;
        case "summary":
          // A summary being written now would restore the text from before this edit.
          if (isPlaced || record.summary.generatedBy === "user" || toolOf(record.summary) !== undefined)
            this.driver.noteSourcesChanged();
          break;
        case "summaryState":
          if (isRevised) this.driver.noteSourcesChanged();
          else this.driver.postpone(); // else it would be summarized again at once
          break;
        case "leftOut":
          this.driver.noteSourcesChanged();
          break;
        case "visibility":
          this.#checkOffer();
          break;
        case "pin":
          this.#checkOffer();
          break;
        case "model":
          if (isUserChoice(record)) this.driver.noteModelSwitched(); // what no longer fits is summarized while the user reads
          if (isUserChoice(record)) this.checkDue();
          break;
        case "setting":
          if (isStrategySetting(record.name)) this.#replan();
          break;
        case "message":
        case "erasure":
        case "usage":
        case "title":
        case "project":
        case "segment":
          break; // checked when the turn has ended
        default:
          assertNever(record);
      }
    }
    this.#checkTries();
    if (records.some(changesCut)) this.driver.noteCutChanged();
  }

  /**
   * Cancels at the user's request; returns whether a request or a user's command was waiting for the summary. What is
   * written for an offer leaves the offer as it was.
   */
  cancel(): "awaited" | "inBackground" | "nothing" {
    const writing = this.#offered?.writing;
    if (writing !== undefined) {
      writing.abort();
      return "inBackground";
    }
    const { isAwaited, isPreparing } = this.driver;
    if (!isAwaited && !isPreparing) return "nothing";
    this.driver.postpone();
    return isAwaited ? "awaited" : "inBackground";
  }

  async close(): Promise<void> {
    this.#stopRetrying();
    this.#stopShowingSaved();
    await this.driver.close();
  }

  /** Shows the failure in the chat and schedules the retry announced there. */
  showFailed(error: ForgeError, tries: RetryState): void {
    const what = failureReason(error, this.#labelOf(error));
    const notice = failureNotice(what, tries, this.#services.clock.nowMs());
    this.#transcript.change(TRIES_ROW, noticeRow("summaries", notice));
    this.#tries = tries;
    this.#stopRetrying();
    if (tries.retryAtMs !== undefined) this.#retryAt(tries.retryAtMs);
  }

  /** The service that failed: summaries may be written elsewhere than answers. */
  #labelOf(error: ForgeError): string {
    const { connection } = this.#model;
    const name = "provider" in error ? error.provider : connection.providerName;
    return name !== connection.providerName && isProviderName(name) ? PROVIDER_LABELS[name] : connection.provider.label;
  }

  /** Removes the notice of a failure when what it says about further attempts is no longer so. */
  #checkTries(): void {
    if (this.#tries === undefined || isDeepStrictEqual(this.#tries, this.driver.tries)) return;
    this.#tries = undefined;
    this.#stopRetrying();
    this.#transcript.remove(TRIES_ROW);
  }

  /** Timers may fire a millisecond early by the clock, when a retry is not due yet. */
  #retryAt(atMs: number): void {
    const { clock } = this.#services;
    this.#stopRetrying = clock.after(Math.max(0, atMs - clock.nowMs()), () => {
      if (clock.nowMs() < atMs) this.#retryAt(atMs);
      else this.checkDue();
    });
  }

  /** Shows the offer in the chat and waits for the answer; `later` when it is withdrawn. */
  ask(offer: SummaryOffer, cancel: CancelSignal): Promise<OfferAnswer> {
    const transcript = this.#transcript;
    return new Promise((resolve) => {
      const answer = (given: OfferAnswer): void => {
        if (this.#offered === undefined) return;
        this.#offered.ended.abort();
        this.#offered = undefined;
        cancel.removeEventListener("abort", withdraw);
        transcript.remove(OFFER_ROW);
        this.#services.view.update();
        resolve(given);
      };
      const withdraw = (): void => {
        answer("later");
      };
      const ended = new AbortController();
      const offered: Offered = {
        ...{ offer, answer, ended, offerId: this.#offers++, revision: 0, writing: undefined, texts: new Map() },
      };
      this.#offered = offered;
      cancel.addEventListener("abort", withdraw);
      transcript.add([offerRow(offered)]);
      this.#services.view.update();
      if (cancel.aborted) withdraw();
    });
  }

  #showApplied(receipt: CompactionReceipt): void {
    const { tokensBefore, tokensAfter } = receipt;
    this.#tries = undefined;
    this.#stopRetrying();
    this.#transcript.remove(TRIES_ROW);
    if (tokensAfter >= tokensBefore) return;
    const { clock, view } = this.#services;
    const text = localize("Summarized: {0} → {1}", formatTokens(tokensBefore), formatTokens(tokensAfter));
    this.#saved = { text, isTrue: this.whileSaving(receipt) };
    view.update();
    this.#stopShowingSaved();
    this.#stopShowingSaved = clock.after(SAVED_SHOWN_MS, () => {
      this.#saved = undefined;
      view.update();
    });
  }

  /** The strategy changed: what is being written or ready was planned by the previous one. */
  #replan(): void {
    this.#strategy = strategyOf(this.#opened.manager);
    this.driver.noteSourcesChanged();
    this.driver.noteUserActed();
    this.checkDue();
  }

  /** Withdraws an offer that is no longer usable; a new one is made if due. */
  #checkOffer(): void {
    if (this.#offered === undefined || this.driver.canOffer) return;
    this.driver.noteSourcesChanged();
    this.checkDue();
  }
}

/** Whether a record of the user lets the cut change: with it, notes that were put off come into use. */
function changesCut(record: ConversationRecord): boolean {
  switch (record.kind) {
    case "pin":
    case "visibility":
    case "summaryState":
    case "leftOut":
      return true;
    case "model":
      return isUserChoice(record);
    default:
      return false;
  }
}

function offerRow({ offer, offerId, revision, writing, texts }: Offered): NoticeRow {
  const isBusy = writing !== undefined;
  const row = noticeRow("offer", isBusy ? writingNotice(offer) : offerNotice(offer));
  const summaries = offer.summaries.flatMap(({ index, isEditable, covers, content }) => {
    if (!isEditable || content === undefined) return [];
    return [{ index, label: placeText(covers), text: texts.get(index) ?? content, isEdited: texts.has(index) }];
  });
  const canBeChanged = summaries.length > 0 || !isWritten(offer);
  return canBeChanged ? { ...row, offer: { offerId, revision, isBusy, summaries } } : row;
}

type PlannedBy = Pick<ContextSettings, "strategy" | "parameters">;

function strategyOf({ settings: { strategy, parameters } }: ContextManager): PlannedBy {
  return { strategy, parameters };
}

/** Compares by value: each change of a setting makes a new connection. */
function isSameService(one: Connection, other: Connection): boolean {
  return one.providerName === other.providerName && one.model === other.model && one.why === other.why;
}

const TRIES_ROW = "notice-summaries";
const OFFER_ROW = "notice-offer";
