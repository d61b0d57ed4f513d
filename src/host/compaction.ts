/**
 * Carries out a compaction: plan -> summarize -> store -> apply, span by span. Each step stands by itself: a cancelled or
 * failed one leaves what was there before it, and what earlier steps of the same plan saved stays saved.
 */

import type { CompactionPlan, PlannedStep } from "../core/context/compactionPlan.ts";
import type { ContextManager } from "../core/context/contextManager.ts";
import type { PendingSummarization } from "../core/context/pendingSummarization.ts";
import type { ForgeError } from "../core/errors.ts";
import type { CompactionReceipt, SummaryRecord } from "../core/history/records.ts";
import type { MessageRange } from "../core/history/summary.ts";
import { messageId, type ModelId, type SummaryId } from "../core/ids.ts";
import { textMessage } from "../core/message.ts";
import { costUsd } from "../core/models/modelPrice.ts";
import type { ModelRegistry } from "../core/models/modelRegistry.ts";
import type { CancelSignal, Clock, ConversationStore, Provider } from "../core/ports.ts";
import { err, ok, type Result } from "../core/result.ts";
import { sourceOf, type SummarySource } from "../core/summary/source.ts";
import { summarize } from "../core/summary/summarizer.ts";
import type { SummaryDraft } from "../core/summary/summaryRequest.ts";
import type { TokenCounter } from "../core/tokens/tokenCounter.ts";

/** Who writes the summaries. */
export interface SummaryWriters {
  /** Absent: the extract, which needs no model. */
  readonly provider: Provider | undefined;
  readonly smallModel: ModelId;
  readonly mainModel: ModelId;
}

/** What a compaction works with. */
export interface CompactionDeps {
  readonly manager: ContextManager;
  readonly store: ConversationStore;
  readonly counter: TokenCounter;
  readonly registry: ModelRegistry;
  readonly clock: Clock;
  readonly writers: SummaryWriters;
  readonly onProgress: (percent: number) => void;
}

/** Why a compaction runs, and what the user wants kept in particular. */
export interface CompactionOrder {
  readonly trigger: CompactionReceipt["trigger"];
  readonly focus?: string;
}

/** Runs what the strategies plan now; answers its receipt, or `undefined` when there is nothing to summarize. */
export async function runCompaction(
  order: CompactionOrder,
  deps: CompactionDeps,
  cancel: CancelSignal,
): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
  const plan = deps.manager.planCompaction(order.trigger);
  return plan === undefined ? ok(undefined) : new Compaction(plan, order, deps, cancel).run();
}

class Compaction {
  readonly #plan: CompactionPlan;
  readonly #order: CompactionOrder;
  readonly #deps: CompactionDeps;
  readonly #cancel: CancelSignal;
  readonly #startedAtMs: number;
  readonly #tokensBefore: number;
  readonly #made: SummaryId[] = [];
  readonly #drafts: SummaryDraft[] = [];
  /** Dollars for each draft; `undefined` where the price, or what was billed, is not known. */
  readonly #costs: (number | undefined)[] = [];

  constructor(plan: CompactionPlan, order: CompactionOrder, deps: CompactionDeps, cancel: CancelSignal) {
    this.#plan = plan;
    this.#order = order;
    this.#deps = deps;
    this.#cancel = cancel;
    this.#startedAtMs = deps.clock.nowMs();
    this.#tokensBefore = deps.manager.usage().usedTokens;
  }

  async run(): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    const spanCount = sum(this.#plan.steps, (step) => step.spans.length);
    let doneCount = 0;
    for (const step of this.#plan.steps) {
      for (const pending of this.#deps.manager.pendingFor(step)) {
        const done = await this.#summarize(step, pending, (share) => {
          this.#deps.onProgress(Math.floor(((doneCount + share) / spanCount) * 100));
        });
        if (!done.ok) return done;
        doneCount++;
      }
    }
    return this.#made.length === 0 ? ok(undefined) : this.#keepReceipt();
  }

  /** Makes one summary; what a model wrote and the context refuses, such as a rambling one, gives way to the extract. */
  async #summarize(
    step: PlannedStep,
    pending: PendingSummarization,
    onShare: (share: number) => void,
  ): Promise<Result<void, ForgeError>> {
    const { provider } = this.#deps.writers;
    const byModel = await this.#draft(step, pending, { provider, onShare });
    if (!byModel.ok) return byModel;
    const record = this.#complete(pending, byModel.value);
    const keep = (made: SummaryRecord, draft: SummaryDraft): Promise<Result<void, ForgeError>> => {
      this.#costs.push(this.#costOf(byModel.value, this.#modelFor(step)));
      return this.#keep(made, draft);
    };
    if (record.ok) return keep(record.value, byModel.value);
    if (provider === undefined) return record;
    const extract = await this.#draft(step, pending, { provider: undefined, onShare });
    if (!extract.ok) return extract;
    const extracted = this.#complete(pending, extract.value);
    if (!extracted.ok) return extracted;
    const { calls, usage } = byModel.value;
    return keep(extracted.value, { ...extract.value, calls, ...(usage === undefined ? {} : { usage }) });
  }

  async #draft(
    step: PlannedStep,
    pending: PendingSummarization,
    by: { readonly provider: Provider | undefined; readonly onShare: (share: number) => void },
  ): Promise<Result<SummaryDraft, ForgeError>> {
    const { counter, registry } = this.#deps;
    const sources = await this.#sources(pending);
    if (!sources.ok) return sources;
    const model = this.#modelFor(step);
    const { focus } = this.#order;
    return summarize(
      {
        sources: sources.value,
        kind: step.kind,
        targetTokens: pending.targetTokens,
        ...(focus === undefined ? {} : { focus }),
      },
      {
        provider: by.provider,
        model,
        limits: registry.get(model).limits,
        counter,
        cancel: this.#cancel,
        onProgress: ({ itemsDone, itemsTotal }) => {
          by.onShare(itemsDone / itemsTotal);
        },
        yieldToHost: () => new Promise((resolve) => setImmediate(resolve)),
      },
    );
  }

  #modelFor(step: PlannedStep): ModelId {
    const { mainModel, smallModel } = this.#deps.writers;
    return step.model === "main" ? mainModel : smallModel;
  }

  #costOf({ calls, usage }: SummaryDraft, model: ModelId): number | undefined {
    if (calls === 0) return 0;
    const price = this.#deps.registry.priceOf(model);
    return usage === undefined || price === undefined ? undefined : costUsd(price, { ...usage, requests: calls });
  }

  async #keep(record: SummaryRecord, draft: SummaryDraft): Promise<Result<void, ForgeError>> {
    const { manager, store } = this.#deps;
    if (this.#cancel.aborted) return err({ code: "CANCELLED" });
    const committed = await store.commit([{ kind: "record", record }]);
    if (!committed.ok) return committed;
    manager.apply(record);
    this.#made.push(record.summary.id);
    this.#drafts.push(draft);
    return ok(undefined);
  }

  #complete(pending: PendingSummarization, draft: SummaryDraft): Result<SummaryRecord, ForgeError> {
    const { content, tokens, kind, factsKept, factsTotal, generatedBy } = draft;
    const createdAtMs = this.#deps.clock.nowMs();
    const completed = { content, tokens, kind, factsKept, factsTotal, createdAtMs };
    return this.#deps.manager.completeSummarization(pending, completed, generatedBy);
  }

  async #sources({ sources }: PendingSummarization): Promise<Result<readonly SummarySource[], ForgeError>> {
    const { history } = this.#deps.manager;
    const ids = sources.flatMap((source) => (source.kind === "message" ? [source.id] : []));
    const read = await this.#deps.store.readMessages(ids);
    if (!read.ok) return read;
    const messages = new Map(read.value.map((stored) => [stored.entry.id, sourceOf(stored)]));
    return ok(
      sources.flatMap((source): readonly SummarySource[] => {
        if (source.kind === "message") {
          const message = messages.get(source.id);
          return message === undefined ? [] : [message];
        }
        const { covers, content, tokenCount } = history.summary(source.id);
        const { turn } = history.entry(covers.start);
        return [{ id: covers.start, turn, message: textMessage("system", content), tokens: tokenCount }];
      }),
    );
  }

  async #keepReceipt(): Promise<Result<CompactionReceipt, ForgeError>> {
    const { manager, store, clock } = this.#deps;
    const { history } = manager;
    const summaries = this.#made.map((id) => history.summary(id));
    const calls = sum(this.#drafts, (draft) => draft.calls);
    const billed = this.#drafts.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
    const inputTokens = sum(billed, (usage) => usage.inputTokens);
    const outputTokens = sum(billed, (usage) => usage.outputTokens);
    const costs = this.#costs.filter((cost) => cost !== undefined);
    const atMs = clock.nowMs();
    const receipt: CompactionReceipt = {
      summaries: this.#made,
      span: hull(summaries.map(({ covers }) => covers)),
      strategy: [...new Set(this.#plan.steps.map((step) => step.strategy))].join(", "),
      trigger: this.#order.trigger,
      tokensBefore: this.#tokensBefore,
      tokensAfter: manager.usage().usedTokens,
      ...(billed.length === 0 ? {} : { billedInputTokens: inputTokens, billedOutputTokens: outputTokens }),
      model: [...new Set(this.#drafts.map((draft) => draft.generatedBy))].join(", "),
      calls,
      ...(costs.length === this.#costs.length ? { costUsd: sum(costs, (cost) => cost) } : {}),
      durationMs: atMs - this.#startedAtMs,
      factsKept: sum(summaries, (summary) => summary.factsKept),
      factsTotal: sum(summaries, (summary) => summary.factsTotal),
      atMs,
    };
    const record = { kind: "receipt", receipt } as const;
    const committed = await store.commit([{ kind: "record", record }]);
    if (!committed.ok) return committed;
    manager.apply(record);
    return ok(receipt);
  }
}

/** The smallest range that holds all of `ranges`, of which there is one at least. */
function hull(ranges: readonly MessageRange[]): MessageRange {
  const start = Math.min(...ranges.map((range) => range.start));
  const end = Math.max(...ranges.map((range) => range.end));
  return { start: messageId(start), end: messageId(end) };
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
