/**
 * Carries out a compaction: plan -> summarize -> store -> apply, span by span. Each step stands by itself: a cancelled or
 * failed one leaves what was there before it, and what earlier steps of the same plan saved stays saved.
 */

import type { CompactionPlan, PlannedStep } from "../core/context/compactionPlan.ts";
import type { ContextManager } from "../core/context/contextManager.ts";
import type { PendingSummarization } from "../core/context/pendingSummarization.ts";
import type { ForgeError } from "../core/errors.ts";
import type { CompactionReceipt, SummaryRecord } from "../core/history/records.ts";
import type { ModelId } from "../core/ids.ts";
import { textMessage } from "../core/message.ts";
import { costUsd } from "../core/models/modelPrice.ts";
import type { ModelRegistry } from "../core/models/modelRegistry.ts";
import type { CancelSignal, Clock, ConversationStore, Provider } from "../core/ports.ts";
import { err, invariant, ok, type Result } from "../core/result.ts";
import { sourceOf, type SummarySource } from "../core/summary/source.ts";
import { summarizeTogether } from "../core/summary/summarizer.ts";
import type { SummaryDraft, SummaryRequest } from "../core/summary/summaryRequest.ts";
import type { TokenCounter } from "../core/tokens/tokenCounter.ts";
import { compactionReceipt, type MadeSummary } from "./compactionReceipt.ts";

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
  readonly #made: MadeSummary[] = [];

  constructor(plan: CompactionPlan, order: CompactionOrder, deps: CompactionDeps, cancel: CancelSignal) {
    this.#plan = plan;
    this.#order = order;
    this.#deps = deps;
    this.#cancel = cancel;
    this.#startedAtMs = deps.clock.nowMs();
    this.#tokensBefore = deps.manager.usage().usedTokens;
  }

  async run(): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    const stepCount = this.#plan.steps.length;
    for (const [done, step] of this.#plan.steps.entries()) {
      const summarized = await this.#carryOut(step, (share) => {
        this.#deps.onProgress(Math.floor(((done + share) / stepCount) * 100));
      });
      if (summarized.ok) continue;
      // What was made is kept, and so has its receipt; that it ended early is what the user has to know.
      if (this.#made.length > 0) await this.#keepReceipt();
      return summarized;
    }
    return this.#made.length === 0 ? ok(undefined) : this.#keepReceipt();
  }

  /** Makes the summaries of one step, in one model call where it can; each is stored as a record of its own. */
  async #carryOut(step: PlannedStep, onShare: (share: number) => void): Promise<Result<void, ForgeError>> {
    const pendings = this.#deps.manager.pendingFor(step);
    if (pendings.length === 0) return ok(undefined);
    const { provider } = this.#deps.writers;
    const drafts = await this.#drafts(step, pendings, { provider, onShare });
    if (!drafts.ok) return drafts;
    for (const [index, pending] of pendings.entries()) {
      const draft = drafts.value[index];
      invariant(draft !== undefined, "there is a draft for each summary");
      const kept = await this.#complete(step, pending, draft);
      if (!kept.ok) return kept;
    }
    return ok(undefined);
  }

  /** Keeps one summary; what a model wrote and the context refuses gives way to the extract. */
  async #complete(
    step: PlannedStep,
    pending: PendingSummarization,
    draft: SummaryDraft,
  ): Promise<Result<void, ForgeError>> {
    const costUsd = this.#costOf(draft, this.#modelFor(step));
    const record = this.#record(pending, draft);
    if (record.ok) return this.#keep(record.value, { draft, costUsd });
    if (draft.generatedBy === "extract") return record;
    const extracts = await this.#drafts(step, [pending], { provider: undefined, onShare: () => undefined });
    if (!extracts.ok) return extracts;
    const [extract] = extracts.value;
    invariant(extract !== undefined, "an extract is made without a model");
    const extracted = this.#record(pending, extract);
    if (!extracted.ok) return extracted;
    const { calls, usage } = draft;
    return this.#keep(extracted.value, {
      draft: { ...extract, calls, ...(usage === undefined ? {} : { usage }) },
      costUsd,
    });
  }

  async #drafts(
    step: PlannedStep,
    pendings: readonly PendingSummarization[],
    by: { readonly provider: Provider | undefined; readonly onShare: (share: number) => void },
  ): Promise<Result<readonly SummaryDraft[], ForgeError>> {
    const { counter, registry } = this.#deps;
    const { focus } = this.#order;
    const requests: SummaryRequest[] = [];
    for (const pending of pendings) {
      const sources = await this.#sources(pending);
      if (!sources.ok) return sources;
      const asked = { kind: step.kind, ...(focus === undefined ? {} : { focus }) };
      requests.push({ ...asked, sources: sources.value, ...pending.text });
    }
    const model = this.#modelFor(step);
    return summarizeTogether(requests, {
      provider: by.provider,
      model,
      limits: registry.get(model).limits,
      counter,
      cancel: this.#cancel,
      onProgress: ({ itemsDone, itemsTotal }) => {
        by.onShare(itemsDone / itemsTotal);
      },
      yieldToHost: () => new Promise((resolve) => setImmediate(resolve)),
    });
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

  async #keep(record: SummaryRecord, made: Omit<MadeSummary, "summary">): Promise<Result<void, ForgeError>> {
    const { manager, store } = this.#deps;
    if (this.#cancel.aborted) return err({ code: "CANCELLED" });
    const committed = await store.commit([{ kind: "record", record }]);
    if (!committed.ok) return committed;
    manager.apply(record);
    this.#made.push({ ...made, summary: record.summary });
    return ok(undefined);
  }

  #record(pending: PendingSummarization, draft: SummaryDraft): Result<SummaryRecord, ForgeError> {
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
    const receipt = compactionReceipt({
      plan: this.#plan,
      made: this.#made,
      trigger: this.#order.trigger,
      tokensBefore: this.#tokensBefore,
      tokensAfter: manager.usage().usedTokens,
      startedAtMs: this.#startedAtMs,
      atMs: clock.nowMs(),
    });
    const record = { kind: "receipt", receipt } as const;
    const committed = await store.commit([{ kind: "record", record }]);
    if (!committed.ok) return committed;
    manager.apply(record);
    return ok(receipt);
  }
}
