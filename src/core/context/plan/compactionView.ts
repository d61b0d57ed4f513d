/**
 * What a strategy sees: the history in its coarsest form, as items, oldest first. Immutable: replacing items by planned
 * summaries makes a new view.
 */

import type { MessageRange, SummaryKind } from "../../history/summaries/summary.ts";
import type { SummaryNode } from "../../history/summaries/summaryForest.ts";
import { messageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import { partition, type CutRequest } from "../cut/buildCut.ts";
import { squeezedFrom } from "../summarization/squeezedSummaries.ts";
import type { PlannedSpan } from "./compactionPlan.ts";
import { sumOfParts } from "../tokenCosts.ts";

/** A message, a tool batch, or a summary, planned ones included. */
export interface ViewItem {
  readonly kind: "message" | "toolBatch" | "summary";
  readonly covers: MessageRange;
  /** 0 for originals. */
  readonly level: number;
  /** Cost in the request. */
  readonly tokens: number;
  /** Cost of the originals. */
  readonly originalTokens: number;
  /** Number of visible messages. */
  readonly messages: number;
  /** 0-based; an item of one turn has the same number twice. */
  readonly firstTurn: number;
  readonly lastTurn: number;
  /** Always sent unchanged: no span may contain it. */
  readonly isPreserved: boolean;
  readonly summaryKind?: SummaryKind;
  /** Has the user's own words. */
  readonly isEdited?: true;
  /** Of a summary that was squeezed: the tokens of what it was made of. */
  readonly squeezedFromTokens?: number;
  /** The plan that would make this summary. */
  readonly planned?: PlannedSpan;
}

/** `items` are those that the summary replaces, oldest first. */
export interface PlannedReplacement {
  readonly span: PlannedSpan;
  readonly items: readonly ViewItem[];
}

export class CompactionView {
  /** Oldest first; preserved items inside a summarized range follow its summary. */
  readonly items: readonly ViewItem[];
  /** Tokens of the whole request, overhead included. */
  readonly usedTokens: number;
  readonly #overheadTokens: number;

  constructor(items: readonly ViewItem[], overheadTokens: number, usedTokens = overheadTokens + tokensOf(items)) {
    this.items = items;
    this.#overheadTokens = overheadTokens;
    this.usedTokens = usedTokens;
  }

  get messages(): number {
    return this.items.reduce((sum, { messages }) => sum + messages, 0);
  }
  get lastTurn(): number {
    return this.items.reduce((last, item) => Math.max(last, item.lastTurn), 0);
  }

  /** Replaces items by planned summaries; many cost as much as one. Preserved items follow their summary. */
  *withPlanned(planned: readonly PlannedReplacement[], frameTokens: number): CooperativeTask<CompactionView> {
    if (planned.length === 0) return this;
    const summaries = new Map<ViewItem, ViewItem>();
    const replaced = new Set<ViewItem>();
    const slice = new Slice(ITEMS_A_SLICE);
    let usedTokens = this.usedTokens;
    for (const each of planned) {
      const [first] = each.items;
      if (first === undefined) continue;
      const summary = plannedItem(each, frameTokens);
      summaries.set(first, summary);
      for (const item of each.items) {
        replaced.add(item);
        if (slice.isOver(1)) yield;
      }
      usedTokens += summary.tokens - tokensOf(each.items);
    }
    const items: ViewItem[] = [];
    for (const item of this.items) {
      const left = replaced.has(item) ? summaries.get(item) : item;
      if (left !== undefined) items.push(left);
      if (slice.isOver(1)) yield;
    }
    return new CompactionView(items, this.#overheadTokens, usedTokens);
  }
}

const ITEMS_A_SLICE = 10_000;

function plannedItem({ span, items }: PlannedReplacement, frameTokens: number): ViewItem {
  return {
    kind: "summary",
    covers: span.covers,
    level: span.level,
    tokens: span.targetTokens + frameTokens,
    originalTokens: span.originalTokens,
    messages: items.reduce((sum, { messages }) => sum + messages, 0),
    firstTurn: items[0]?.firstTurn ?? 0,
    lastTurn: items.at(-1)?.lastTurn ?? 0,
    isPreserved: false,
    planned: span,
  };
}

function tokensOf(items: readonly ViewItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The view in which all usable summaries replace their ranges. */
export function* compactionView(
  source: Pick<CutRequest, "history" | "costs" | "overhead" | "budgetTokens" | "preserveRecent">,
): CooperativeTask<CompactionView> {
  const { history, costs } = source;
  const { length: entries, summaryCount: summaries } = history;
  const { compressible, roots, excerpts } = yield* partition({
    ...source,
    entries,
    summaries,
    restorable: 0,
    splittable: 0,
  });
  const items: ViewItem[] = [];
  const slice = new Slice(MESSAGES_PER_SLICE);

  function* addAtoms(
    range: { readonly start: number; readonly end: number },
    isWanted: (id: number) => boolean,
  ): CooperativeTask<void> {
    for (let id = range.start; id < range.end;) {
      const atom = history.atomOf(messageId(id));
      const entry = history.entry(atom.start);
      if (history.isVisible(entry) && isWanted(id)) {
        const atomEntries = history.entries.slice(atom.start, atom.end);
        const tokens = atomEntries.reduce(
          (sum, each) => sum + (excerpts.tokensOf.get(each.id) ?? costs.ofEntry(each)),
          0,
        );
        const turn = history.turnNumber(entry.turn);
        items.push({
          kind: entry.batch === undefined ? "message" : "toolBatch",
          covers: atom,
          level: 0,
          tokens,
          originalTokens: tokens,
          messages: atomEntries.length,
          firstTurn: turn,
          lastTurn: turn,
          isPreserved: !compressible.has(id),
        });
      }
      if (slice.isOver(atom.end - id)) yield;
      id = atom.end;
    }
  }
  /** First and last visible message, and the number of compressible ones. */
  function* visibleIn({
    start,
    end,
  }: MessageRange): CooperativeTask<readonly [HistoryEntry | undefined, HistoryEntry | undefined, number]> {
    let first: HistoryEntry | undefined;
    let last: HistoryEntry | undefined;
    let messages = 0;
    for (let id: number = start; id < end; id++) {
      const entry = history.entry(messageId(id));
      if (slice.isOver(1)) yield;
      if (!history.isVisible(entry)) continue;
      first ??= entry;
      last = entry;
      if (compressible.has(id)) messages++;
    }
    return [first, last, messages];
  }
  function* addSummary(node: SummaryNode): CooperativeTask<void> {
    const { covers, level, kind, tokenCount, generatedBy } = node.summary;
    const squeezedFromTokens = squeezedFrom(node, costs);
    const [first, last, messages] = yield* visibleIn(covers);
    if (first !== undefined && last !== undefined && compressible.tokensIn(covers) > 0) {
      items.push({
        kind: "summary",
        covers,
        level,
        summaryKind: kind,
        ...(generatedBy === "user" ? { isEdited: true } : {}),
        ...(squeezedFromTokens === undefined ? {} : { squeezedFromTokens }),
        tokens: costs.ofSummary(tokenCount),
        originalTokens: compressible.tokensIn(covers),
        messages,
        firstTurn: history.turnNumber(first.turn),
        lastTurn: history.turnNumber(last.turn),
        isPreserved: false,
      });
    }
    yield* addAtoms(covers, (id) => !compressible.has(id));
  }

  let at = 0;
  for (const node of roots) {
    yield* addAtoms({ start: at, end: node.summary.covers.start }, () => true);
    yield* addSummary(node);
    at = node.summary.covers.end;
  }
  yield* addAtoms({ start: at, end: entries }, () => true);
  return new CompactionView(items, sumOfParts(source.overhead));
}
