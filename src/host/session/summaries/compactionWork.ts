/** Writes, holds and applies the compactions of a conversation; the driver decides when. */

import type { ModelId, SummaryId } from "../../../core/ids.ts";
import { summariesForNow } from "../../../core/summary/schedule/notesLater.ts";
import { isOnThisMachine, type Connection } from "../../connections/connections.ts";
import { ADDRESSED_PROVIDERS, type Settings } from "../../editor/settings.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { CompactionProgress } from "./compactionProgress.ts";
import type { Conversation } from "../../../core/conversation/conversation.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { CompactionReceipt } from "../../../core/history/records.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { SummarizerRecord } from "../../../core/summary/quality/summarizerRecord.ts";
import { SummarizerRecords } from "../../../core/summary/quality/summarizerRecords.ts";
import { CallAllowance, MOST_CALLS } from "../../../core/summary/write/callAllowance.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { NO_GAIN, rewritten, withTexts } from "./preparedEdits.ts";
import { summaryRequest, type SummaryRequestNow } from "./summaryRequest.ts";
import type { EditedText } from "./summaryEdits.ts";
import { readInPieces } from "../../../core/stream/readInPieces.ts";
import {
  applyCompaction,
  prepareCompaction,
  runCompaction,
  type CompactionDeps,
  type PreparedCompaction,
} from "./compaction.ts";
import { fitsAsBilled } from "./compactionState.ts";
import { withoutModels, type CompactionOrder, type SummaryWriter, type SummaryWriters } from "./compactionOrder.ts";
import { offerOfPlan, offerOfPrepared, type SummaryOffer } from "./summaryOffer.ts";

/** Result of writing ahead: nothing to summarize, ready for when it is due, or ready for when nothing fits. */
export type PreparationOutcome = "nothing" | "ready" | "readyForOverflow";

/** `undefined`: nothing to summarize, or no gain. */
export type CompactionResult = Result<CompactionReceipt | undefined, ForgeError>;

/** Joins the result of `first`, a prepared compaction used for an order, with the result of the rest. */
export function combineResults(first: CompactionReceipt | undefined, rest: CompactionResult): CompactionResult {
  if (first === undefined || !rest.ok) return rest;
  return ok({ ...(rest.value ?? first), tokensBefore: first.tokensBefore });
}

/** An order to write a summary anew: at a share of the size asked for before, by another model than the usual one. */
export interface Rewrite {
  readonly sizePercent?: number;
  readonly writer?: Connection;
}

/** The driver calls one method at a time. */
export class CompactionWork {
  readonly records: SummarizerRecords;
  readonly #conversation: Conversation;
  readonly #model: Pick<SessionModel, "connection">;
  readonly #progress: CompactionProgress;
  readonly #services: Pick<SessionServices, "counter" | "registry" | "clock" | "connections" | "settings">;
  #ready: PreparedCompaction | undefined;
  /** Notes for extracts in use, that wait for a moment at which the cut may change. */
  #renewed: PreparedCompaction | undefined;
  /** Extracts whose notes were written or refused since the conversation was opened. */
  readonly #tried = new Set<SummaryId>();
  /** The model was switched and nothing was summarized for it yet. */
  #isModelSwitched = false;

  constructor(
    conversation: Conversation,
    model: Pick<SessionModel, "connection">,
    progress: CompactionProgress,
    services: Pick<SessionServices, "counter" | "registry" | "clock" | "connections" | "settings">,
  ) {
    this.records = new SummarizerRecords(() => conversation.context.history.spending.receipts);
    this.#conversation = conversation;
    this.#model = model;
    this.#progress = progress;
    this.#services = services;
  }

  discardPrepared(): void {
    this.#ready = undefined;
  }

  /** Drops what was written for the previous model; notes that wait are not bound to a model. */
  noteModelSwitched(): void {
    this.#ready = undefined;
    this.#isModelSwitched = true;
  }

  /** Writes ahead of time. */
  async prepare(cancel: CancelSignal): Promise<Result<PreparationOutcome, ForgeError>> {
    const due = await this.#write({ trigger: this.#trigger() }, cancel, AHEAD);
    if (!due.ok || due.value || cancel.aborted) return due.ok ? ok(due.value ? "ready" : "nothing") : due;
    // Some strategies act late or only when nothing fits; preparing for that spares the user the wait.
    const ahead = await this.#write({ trigger: "ahead" }, cancel, AHEAD);
    return ahead.ok ? ok(ahead.value ? "readyForOverflow" : "nothing") : ahead;
  }

  /** Extracts in use that stand in for notes that were not tried yet. */
  get notesToWrite(): number {
    return this.#toRenew().length;
  }

  get summarizer(): { readonly model: ModelId; readonly record: SummarizerRecord; readonly problem: string } {
    const { connections } = this.#services;
    const { connection } = this.#model;
    const model = connections.summarizerModel(connection);
    return { model, record: this.records.of(model), problem: connections.summarizerProblem(connection) };
  }

  /** Writes the notes that were put off, and holds them. */
  async renew(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    const ids = this.#toRenew();
    const deps = this.#deps(await this.#writing());
    const written = await prepareCompaction({ trigger: "background", renew: ids }, deps, cancel);
    this.#progress.ended();
    if (!written.ok) return written;
    if (cancel.aborted) return ok(undefined);
    for (const id of ids) this.#tried.add(id);
    const made = written.value?.made.filter(({ generatedBy }) => generatedBy !== "extract") ?? [];
    if (written.value !== undefined && made.length > 0)
      this.#renewed = joined(this.#renewed, { ...written.value, made });
    return ok(undefined);
  }

  /** Uses the notes that wait, when the cut has changed anyway. */
  async applyRenewed(): Promise<CompactionResult> {
    const renewed = this.#renewed;
    this.#renewed = undefined;
    return renewed === undefined ? ok(undefined) : applyCompaction(renewed, this.#deps());
  }

  get hasRenewed(): boolean {
    return this.#renewed !== undefined;
  }

  /**
   * Writes while a request waits; resolves to whether there was anything to write. `byNoModel`: the extract alone;
   * `later`: and notes when there is time.
   */
  async writeNow(
    writer: "byModel" | "byNoModel" | "later",
    cancel: CancelSignal,
  ): Promise<Result<boolean, ForgeError>> {
    const written = await this.#write({ trigger: this.#trigger() }, cancel, { writer, isAwaited: true });
    this.#progress.ended();
    return written;
  }

  /** Applies what is ready; `undefined` when it is stale or without gain. */
  async apply(): Promise<CompactionResult> {
    const ready = this.#ready;
    this.#ready = undefined;
    if (ready === undefined) return ok(undefined);
    const done = this.#applied(await applyCompaction(ready, this.#deps()));
    if (done.ok && done.value !== undefined) this.#renewed = undefined; // it was part of that, or its place is gone
    return done;
  }

  async run(order: CompactionOrder, cancel: CancelSignal): Promise<CompactionResult> {
    const done = await runCompaction(order, { ...this.#deps(await this.#writing()), isAwaited: true }, cancel);
    this.#progress.ended();
    if (done.ok && done.value !== undefined) this.#renewed = undefined;
    return this.#applied(done);
  }

  /** Replaces texts of what is ready by the user's, by index. An error says why; nothing is changed then. */
  replaceTexts(texts: ReadonlyMap<number, EditedText>): Result<void, ForgeError> {
    if (this.#ready === undefined) return err({ code: "CANCELLED" });
    const changed = withTexts(this.#ready, texts, this.#conversation.context);
    if (!changed.ok) return changed;
    this.#ready = changed.value;
    return ok(undefined);
  }

  /** Writes what is offered and only planned, and holds it; an error also where it would save nothing. */
  async writeOffered(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    const written = await this.#write({ trigger: this.#trigger() }, cancel, AHEAD);
    this.#progress.ended();
    if (!written.ok) return written;
    if (cancel.aborted) return err({ code: "CANCELLED" });
    if (written.value && this.offer(false) !== undefined) return ok(undefined);
    this.#ready = undefined;
    return err(NO_GAIN);
  }

  /** Writes what is ready anew; on failure, and when it was discarded meanwhile, nothing is changed. */
  async rewrite({ sizePercent = 100, writer }: Rewrite, cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    const ready = this.#ready;
    if (ready === undefined) return err({ code: "CANCELLED" });
    const { writers } = await this.#writing(writer);
    const { counter, registry, clock } = this.#services;
    const { context, store } = this.#conversation;
    this.#progress.onShare(0);
    const written = await rewritten(ready, sizePercent, writers.small, context, {
      ...{ store, counter, registry, clock, records: this.records },
      ...{ calls: new CallAllowance(MOST_CALLS), focus: ready.order.focus, cancel },
      onProgress: ({ share }) => {
        this.#progress.onShare(share);
      },
    });
    this.#progress.ended();
    if (!written.ok) return written;
    if (cancel.aborted || this.#ready !== ready) return err({ code: "CANCELLED" });
    this.#ready = written.value;
    return ok(undefined);
  }

  /** The request for summary `id` as it would be sent now, and the model that would be asked. Sends nothing. */
  async requestOf(id: SummaryId, cancel: CancelSignal): Promise<Result<SummaryRequestNow, ForgeError>> {
    const { writers } = await this.#writing();
    const { counter, registry, clock } = this.#services;
    const { context, store } = this.#conversation;
    const request = await summaryRequest(id, context, writers, {
      ...{ store, counter, registry, clock, records: this.records.fork(false), cancel },
    });
    return request.ok ? ok({ request: request.value, model: writers.small.model }) : request;
  }

  /** An offer of what is ready, or else of what is planned; `undefined` when there is nothing. */
  offer(isNeeded: boolean): SummaryOffer | undefined {
    const { context } = this.#conversation;
    return this.#ready === undefined
      ? offerOfPlan(this.#trigger(), context, isNeeded)
      : offerOfPrepared(this.#ready, context, isNeeded);
  }

  async #write(
    order: CompactionOrder,
    cancel: CancelSignal,
    { writer, isAwaited }: { readonly writer: "byModel" | "byNoModel" | "later"; readonly isAwaited: boolean },
  ): Promise<Result<boolean, ForgeError>> {
    const deps = this.#deps(await this.#writing());
    const writers = writer === "byModel" ? deps.writers : withoutModels(deps.writers);
    const areNotesLater = writer === "later" && deps.writers.small.provider !== undefined;
    const prepared = await prepareCompaction(order, { ...deps, writers, areNotesLater, isAwaited }, cancel);
    if (!prepared.ok) return prepared;
    if (!cancel.aborted) this.#ready = prepared.value;
    return ok(prepared.value !== undefined);
  }

  #toRenew(): readonly SummaryId[] {
    const { connection } = this.#model;
    if (!connection.isLanguageModel || this.summarizer.record.isStopped) return [];
    return summariesForNow(this.#conversation.context).filter((id) => !this.#tried.has(id));
  }

  #applied(done: CompactionResult): CompactionResult {
    if (done.ok && done.value !== undefined) this.#isModelSwitched = false;
    return done;
  }

  #trigger(): CompactionOrder["trigger"] {
    if (fitsAsBilled(this.#conversation.context)) return "background";
    return this.#isModelSwitched ? "modelSwitch" : "overflow";
  }

  /** For what is written already. */
  get #noWriting(): Writing {
    const { connection } = this.#model;
    const small = { model: this.#services.connections.summarizerModel(connection), provider: undefined };
    return { writers: { small, main: { model: connection.model, provider: undefined } }, parallelCalls: 1 };
  }

  /** `chosen`: the user's choice for one summary. */
  async #writing(chosen?: Connection): Promise<Writing> {
    const { connections, registry, settings } = this.#services;
    const { connection } = this.#model;
    if (!connection.isLanguageModel) return this.#noWriting;
    const summarizer = chosen ?? (await connections.summarizer(connection));
    const writerOf = ({ model, provider }: Connection): SummaryWriter => ({
      model,
      provider: readInPieces(provider, (each) => registry.abilitiesOf(each).slots === 1),
    });
    return {
      writers: { small: writerOf(summarizer), main: writerOf(connection) },
      parallelCalls: parallelCallsOf(summarizer, settings.current),
    };
  }

  /** Read anew for each compaction: the model and its provider may change. */
  #deps(writing = this.#noWriting): CompactionDeps {
    const { counter, registry, clock } = this.#services;
    const { onEvent } = this.#progress;
    const renewed = this.#renewed === undefined ? {} : { renewed: this.#renewed };
    return {
      conversation: this.#conversation,
      counter,
      registry,
      clock,
      records: this.records,
      ...writing,
      onEvent,
      ...renewed,
    };
  }
}

interface Writing {
  readonly writers: SummaryWriters;
  readonly parallelCalls: number;
}

/** Written while the user reads and types. */
const AHEAD = { writer: "byModel", isAwaited: false } as const;

/** A server on this machine writes several answers no faster than one after the other. */
function parallelCallsOf(
  { providerName }: Pick<Connection, "providerName">,
  { addresses, parallelSummaryCalls }: Settings,
): number {
  const address = ADDRESSED_PROVIDERS.find((name) => name === providerName);
  return address !== undefined && isOnThisMachine(addresses[address]) ? 1 : parallelSummaryCalls;
}

function joined(one: PreparedCompaction | undefined, other: PreparedCompaction): PreparedCompaction {
  if (one === undefined) return other;
  return { ...other, made: [...one.made, ...other.made], notes: [...one.notes, ...other.notes] };
}
