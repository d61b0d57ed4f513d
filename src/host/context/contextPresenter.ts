/**
 * The context view: the content of the next request, updated while the view is open. It never changes the conversation.
 */

import { isDeepStrictEqual } from "node:util";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { Clock } from "../../core/clock.ts";
import type { ContextItem, ContextPart, ContextPartKind, ContextView } from "../../protocol/contextView.ts";
import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import { certaintyOf, modelLabel } from "../view/sessionStatus.ts";
import { modelName } from "../../core/models/modelName.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { STRATEGY_LABELS } from "../words/strategyNames.ts";
import { ContextItems } from "./contextItems.ts";
import { summarizesFromPercent } from "../../core/context/contextSettings.ts";
import { contextParts, figureText, omittedCount, omittedMessages, type PartWithSegments } from "./contextParts.ts";
import { receiptTotalsLines } from "./contextTotals.ts";
import { staleSummaryLines } from "../transcript/staleSummaryText.ts";
import { applyTrial, trialNote, type ContextTrial } from "./contextTrial.ts";
import { OverheadItems } from "./overheadItems.ts";
import { notesToWriteLines, stoppedSummarizerText, type SummarizerState } from "./summarizerLines.ts";
import { formatTokens } from "../words/formatting.ts";

/** Throttle of updates: the figures change with every chunk of an answer. */
const REFRESH_MS = 120;

type ShownSession = Pick<ActiveSession, "session">;
type DraftSize = Pick<Presenter, "draftTokens">;

export class ContextPresenter {
  readonly #active: ShownSession;
  readonly #draft: DraftSize;
  readonly #views: Pick<ChatViews, "post">;
  readonly #clock: Clock;
  readonly #bugs: Pick<BugReporter, "report">;
  readonly #items = new ContextItems();
  readonly #overhead = new OverheadItems();
  readonly #shownCounts = new Map<ContextPartKind, number>();
  #isOpen = false;
  #shown: ContextView | null = null;
  #trial: ContextTrial = {};
  #cachedTrial:
    { readonly revision: number; readonly trial: ContextTrial; readonly manager: ContextManager } | undefined;
  #cancelRefresh: (() => void) | undefined;
  /** Number of the newest build; the result of an older one is discarded. */
  #buildNumber = 0;

  constructor(
    active: ShownSession,
    draft: DraftSize,
    views: Pick<ChatViews, "post">,
    clock: Clock,
    bugs: Pick<BugReporter, "report">,
  ) {
    this.#active = active;
    this.#draft = draft;
    this.#views = views;
    this.#clock = clock;
    this.#bugs = bugs;
  }

  /** Null while closed. */
  get shown(): ContextView | null {
    return this.#shown;
  }

  /** The model and strategy that are previewed instead of those in use. */
  get trial(): ContextTrial {
    return this.#trial;
  }

  async open(): Promise<void> {
    this.#isOpen = true;
    await this.#show();
  }

  close(): void {
    this.#isOpen = false;
    this.#buildNumber++;
    this.#trial = {};
    this.#cachedTrial = undefined;
    this.#shownCounts.clear();
    this.#items.clear();
    if (this.#shown === null) return;
    this.#shown = null;
    this.#views.post({ kind: "context", context: null });
  }

  /** Shows the newest `count` items of a part; 0 collapses it. */
  async expand(part: ContextPartKind, count: number): Promise<void> {
    if (count === 0) this.#shownCounts.delete(part);
    else this.#shownCounts.set(part, count);
    await this.#show();
  }

  /** Previews another model or strategy; `{}` ends the preview. */
  async setTrial(trial: ContextTrial): Promise<void> {
    this.#trial = trial;
    this.#cachedTrial = undefined;
    await this.#show();
  }

  /** Schedules an update. */
  scheduleRefresh(): void {
    if (!this.#isOpen || this.#cancelRefresh !== undefined) return;
    this.#cancelRefresh = this.#clock.after(REFRESH_MS, () => {
      this.#cancelRefresh = undefined;
      this.#show().catch(this.#bugs.report);
    });
  }

  /** The conversation with the preview applied; cached by revision. */
  async managerFor(session: Session): Promise<ContextManager> {
    const present = session.opened.manager;
    const { revision } = present;
    const trial = this.#trial;
    if (this.#cachedTrial?.trial === trial && this.#cachedTrial.revision === revision) return this.#cachedTrial.manager;
    const manager = await applyTrial(present, trial);
    if (manager !== present) this.#cachedTrial = { revision, trial, manager };
    return manager;
  }

  /** The text of an instruction or tool; `undefined` when it no longer exists. */
  textOf(part: ContextPartKind, itemId: string): { readonly name: string; readonly text: string } | undefined {
    const { session } = this.#active;
    return session === undefined ? undefined : this.#overhead.textOf(part, itemId, session);
  }

  async #show(): Promise<void> {
    if (!this.#isOpen) return;
    const { session } = this.#active;
    const buildNumber = ++this.#buildNumber;
    const view = session === undefined ? null : await this.#build(session);
    if (buildNumber !== this.#buildNumber || isDeepStrictEqual(view, this.#shown)) return;
    this.#shown = view;
    this.#views.post({ kind: "context", context: view });
  }

  async #build(session: Session): Promise<ContextView> {
    const { draftTokens } = this.#draft;
    const present = session.opened.manager;
    const manager = await this.managerFor(session);
    const usage = manager.usage();
    const connection = this.#trial.connection ?? session.connection;
    const { preserveRecent } = manager.settings;
    const summarizesAtPercent = summarizesFromPercent(manager.settings);
    const filled = contextParts(manager, {
      instructionCount: session.tools.instructions.length,
      toolCount: session.tools.offered.length,
      draftTokens,
      summarizesAtPercent,
      preserveRecent,
    });
    const parts: ContextPart[] = [];
    for (const part of filled) parts.push(await this.#partOf(part, manager, session));
    const { contextWindow, maxOutput } = manager.limits;
    const summarizer = summarizerState(session);
    return {
      modelLabel: modelLabel(connection),
      strategyLabel: STRATEGY_LABELS[manager.policy],
      inUse: manager === present ? null : inUseText(session),
      barTokens: Math.max(usage.budgetTokens, usage.usedTokens + (draftTokens ?? 0)),
      figure: figureText(usage),
      certainty: certaintyOf(usage),
      note:
        manager === present
          ? problemOf(manager, summarizesAtPercent !== null) || stoppedSummarizerText(summarizer)
          : await trialNote(present, manager),
      parts,
      reserve: localize(
        "A window of {0}: {1} reserved for the answer, {2} as a margin for counting.",
        formatTokens(contextWindow),
        formatTokens(maxOutput),
        formatTokens(contextWindow - maxOutput - manager.budgetTokens),
      ),
      totals: [
        ...receiptTotalsLines(present.history.spending.receipts),
        ...staleSummaryLines(present.history),
        ...notesToWriteLines(summarizer),
      ],
    };
  }

  async #partOf(
    { segments, ...part }: PartWithSegments,
    manager: ContextManager,
    session: Session,
  ): Promise<ContextPart> {
    const count = this.#shownCounts.get(part.kind) ?? 0;
    const { store } = session.opened;
    if (part.kind === "system" || part.kind === "tools") {
      const items = await this.#overhead.itemsOf(part, session);
      return { ...part, itemCount: items.length, items: count === 0 ? null : items.slice(0, count) };
    }
    const shown = part.kind === "omitted" ? omittedMessages(manager, segments, count) : segments.slice(0, count);
    const items: readonly ContextItem[] | null =
      count === 0
        ? null
        : await this.#items.itemsOf(part.kind, shown, {
            manager,
            store,
            countTokens: (message) => session.tools.countsOf(message),
          });
    const itemCount = part.kind === "omitted" ? omittedCount(segments) : segments.length;
    return { ...part, itemCount, items: itemCount === 0 ? null : items };
  }
}

function summarizerState({ summaries }: Session): SummarizerState {
  const { model, record, problem, notesToWrite } = summaries.automatic.driver.summarizer;
  const { isStopped, refused, why } = record;
  return { modelLabel: modelName(model), isStopped, refused, why, problem, notesToWrite };
}

function inUseText(session: Session): string {
  const { connection, opened } = session;
  return `${modelLabel(connection)}, ${STRATEGY_LABELS[opened.manager.policy]}`;
}

function problemOf(manager: ContextManager, isSummarized: boolean): string {
  const status = manager.usageStatus();
  switch (status.kind) {
    case "ready":
      return "";
    case "needsSummarization": {
      const excess = formatTokens(status.needed.excessTokens);
      return isSummarized
        ? localize("{0} tokens more than fit. Older messages are summarized before the next request.", excess)
        : localize("{0} tokens more than fit. Summarize, or use a model with a larger window.", excess);
    }
    case "tooLarge": {
      const { requiredTokens, budgetTokens } = status.error;
      return localize(
        "Does not fit: {0} are always sent, {1} are possible.",
        formatTokens(requiredTokens),
        formatTokens(budgetTokens),
      );
    }
  }
}
