/** Summaries that are made by themselves, and what is said of them in the chat: offers, failures, how far they are. */

import type { ContextPolicy } from "../../core/context/contextSettings.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { localize } from "../../protocol/localize.ts";
import type { Connection } from "../connections/connections.ts";
import { CompactionDriver } from "../compaction/compactionDriver.ts";
import type { DriverDeps, FailedTries } from "../compaction/driverParts.ts";
import { explain, whatFailed } from "../words/explain.ts";
import { noticeRow } from "../transcript/rows.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SummarizedConversation } from "../compaction/summarizedConversation.ts";
import type { OfferAnswer, SummaryOffer } from "../compaction/summaryOffer.ts";
import { offerNotice, triesNotice } from "../compaction/summaryWords.ts";
import { formatTokens } from "../words/rowWords.ts";

/** How long it is said what a summary has saved. */
const SAID_MS = 10_000;

/** An offer that waits for the user. */
interface Offered {
  readonly offer: SummaryOffer;
  readonly answer: (answer: OfferAnswer) => void;
}

/** The summaries of one conversation that nobody has to ask for. */
export class AutomaticSummaries {
  readonly driver: CompactionDriver;
  readonly #session: SummarizedConversation;
  readonly #environment: SessionEnvironment;
  /** By which summaries are planned. */
  #policy: ContextPolicy;
  #offered: Offered | undefined;
  #stopRetrying: () => void = () => undefined;
  #stopSaying: () => void = () => undefined;

  constructor(session: SummarizedConversation, environment: SessionEnvironment) {
    this.#session = session;
    this.#environment = environment;
    this.#policy = session.opened.manager.policy;
    this.driver = new CompactionDriver({
      manager: session.opened.manager,
      deps: () => this.#deps(),
      habits: () => {
        const { background, askBeforeSummarizing: ask, context } = environment.settings();
        const isReadOnly = session.opened.store.shape.readOnly === true; // a summary would cost money and could not be kept
        return { automatic: context.infinity && !isReadOnly, background, ask };
      },
      nowMs: () => environment.clock.nowMs(),
      at: () => (session.activity === "idle" ? "idle" : "busy"),
      alone: (work) => session.alone("applying", work),
      applied: (receipt) => this.#applied(receipt),
      failed: (error, tries) => {
        this.#failed(error, tries);
      },
      progress: (percent, isAwaited) => {
        environment.progress(percent, isAwaited);
      },
      ask: (offer, cancel) => this.#ask(offer, cancel),
      bug: environment.bug,
    });
  }

  /** What the user is asked about, as long as it waits for an answer. */
  get offer(): SummaryOffer | undefined {
    return this.#offered?.offer;
  }

  /** The user's answer; nothing where nothing is offered. */
  answer(answer: OfferAnswer): void {
    this.#offered?.answer(answer);
  }

  /** Looks what is due, since something has ended or changed. */
  look(): void {
    this.driver.look().catch(this.#environment.bug);
  }

  /** The user wants it tried again, after failures. */
  tryAgain(): void {
    this.#session.transcript.remove(TRIES_ROW);
    this.driver.noteUserActed();
    this.look();
  }

  /** A setting or a key changed; `before` answered until now. What is being prepared may not be wanted any more. */
  settingsChanged(before: Connection): void {
    const { connection, opened } = this.#session;
    const { policy } = opened.manager;
    const isOther = policy !== this.#policy || !isSameService(connection, before);
    this.#policy = policy;
    if (isOther && this.driver.isPreparing) this.driver.noteSourcesChanged();
    this.driver.noteUserActed();
    if (this.driver.isPreparing) this.look();
  }

  /** Another model answers: what no longer fits is summarized while the user reads. */
  modelSwitched(): void {
    this.driver.noteSwitched();
    this.look();
  }

  /** Another strategy holds from now on: what is being written, or is ready, was planned by the one before. */
  strategyChanged(): void {
    this.#policy = this.#session.opened.manager.policy;
    this.driver.noteSourcesChanged();
    this.driver.noteUserActed();
    this.look();
  }

  /** Something of what is sent was left out, or is sent again. */
  sourcesChanged(): void {
    this.#environment.saved(null); // it may not be so any more
    this.driver.noteSourcesChanged();
  }

  /** Messages were hidden or shown again: an offer that cannot be used any more is taken back, and made anew if it is due. */
  messagesChanged(): void {
    if (this.#offered === undefined || this.driver.canOffer) return;
    this.driver.noteSourcesChanged();
    this.look();
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
    this.#stopSaying();
    await this.driver.close();
  }

  /** Shows the conversation as it is now: where its summaries stand, and what they stand for. */
  async rebuild(): Promise<void> {
    const loaded = await this.#session.transcript.reload();
    if (!loaded.ok) this.#environment.showBanner(explain(loaded.error, ""));
    this.#environment.refreshView();
  }

  async #applied({ tokensBefore, tokensAfter }: CompactionReceipt): Promise<void> {
    this.#stopRetrying();
    this.#session.transcript.remove(TRIES_ROW);
    await this.rebuild();
    const { clock, saved } = this.#environment;
    if (tokensAfter >= tokensBefore) return;
    saved(localize("Summarized: {0} → {1}", formatTokens(tokensBefore), formatTokens(tokensAfter)));
    this.#stopSaying();
    this.#stopSaying = clock.after(SAID_MS, () => {
      saved(null);
    });
  }

  #failed(error: ForgeError, { isStopped, retryAtMs }: FailedTries): void {
    const { clock } = this.#environment;
    const what = whatFailed(error, this.#session.connection.provider.label);
    const inMs = retryAtMs === undefined ? undefined : Math.max(0, retryAtMs - clock.nowMs());
    this.#session.transcript.change(TRIES_ROW, noticeRow("summaries", triesNotice(what, isStopped, inMs)));
    this.#stopRetrying();
    if (inMs !== undefined) {
      this.#stopRetrying = clock.after(inMs, () => {
        this.look();
      });
    }
  }

  /** Asks in the chat, and waits. What is withdrawn was not answered. */
  #ask(offer: SummaryOffer, cancel: CancelSignal): Promise<OfferAnswer> {
    const { transcript } = this.#session;
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

  #deps(): DriverDeps {
    const { connection, opened } = this.#session;
    const { counter, registry, clock, summarizerModel } = this.#environment;
    const writers = {
      provider: connection.isLanguageModel ? connection.provider : undefined,
      smallModel: summarizerModel(connection),
      mainModel: connection.model,
    };
    return { store: opened.store, counter, registry, clock, writers };
  }
}

/** Whether requests go to the same place by the same model. Each change of a setting makes a new connection. */
function isSameService(one: Connection, other: Connection): boolean {
  return one.providerName === other.providerName && one.model === other.model && one.why === other.why;
}

const TRIES_ROW = "notice-summaries";
const OFFER_ROW = "notice-offer";
