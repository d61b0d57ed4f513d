/**
 * The cut for one model: for every visible message, whether it is sent itself or replaced by a summary. Oldest first.
 * Only appended to; a different cut is a different object, so what was sent stays a prefix of what is sent next.
 */

import type { RequestPart } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import type { MessageRange } from "../../history/summaries/summary.ts";
import type { MessageId, SummaryId } from "../../ids.ts";
import type { ContentClass, RecalledPassage } from "../../message.ts";
import { NO_CONTENT, type ClassCounts } from "../../tokens/contentClass.ts";
import { sumOfParts } from "../tokenCosts.ts";

/** A part of the request. `tokens` includes framing. */
export type ContextSegment =
  | { readonly kind: "original"; readonly id: MessageId; readonly tokens: number }
  /** A message whose tool results are truncated to `contentTokens`. */
  | { readonly kind: "excerpt"; readonly id: MessageId; readonly tokens: number; readonly contentTokens: number }
  /** Replaces the messages of `covers` that are not sent themselves. */
  | { readonly kind: "summary"; readonly id: SummaryId; readonly covers: MessageRange; readonly tokens: number }
  /** Passages of earlier messages, sent with the question `beside`, whose segment follows. */
  | {
      readonly kind: "recalled";
      readonly beside: MessageId;
      /** In the order of their places. */
      readonly passages: readonly RecalledPassage[];
      readonly tokens: number;
    }
  /** Not sent, as the strategy sends only the newest. */
  | { readonly kind: "omitted"; readonly covers: MessageRange; readonly messageCount: number; readonly tokens: 0 };

export interface SegmentTotals {
  readonly pinned: number;
  readonly summaries: number;
  readonly recalled: number;
  readonly messages: number;
  readonly summaryCount: number;
}

export class WorkingContext {
  /** Some blocks are finer than necessary, so that the cut can be made smaller without a model. */
  readonly isRefined: boolean;
  readonly #segments: ContextSegment[] = [];
  readonly #isPinned: (id: MessageId) => boolean;
  readonly #classOf: (id: MessageId) => ContentClass;
  readonly #isWhole: (id: MessageId) => boolean;
  readonly #overheadTokens: number;
  readonly #content: Record<ContentClass, number> = { ...NO_CONTENT };
  #pinned = 0;
  readonly #whole = new Set<MessageId>();
  #summaries = 0;
  #recalled = 0;
  #messages = 0;
  #summaryCount = 0;

  constructor(init: {
    readonly overheadTokens: number;
    readonly isRefined: boolean;
    readonly isPinned: (id: MessageId) => boolean;
    readonly classOf: (id: MessageId) => ContentClass;
    /** True for a message whose original is sent as it is stored. */
    readonly isWhole: (id: MessageId) => boolean;
  }) {
    this.#overheadTokens = init.overheadTokens;
    this.isRefined = init.isRefined;
    this.#isPinned = init.isPinned;
    this.#classOf = init.classOf;
    this.#isWhole = init.isWhole;
  }

  /** Tokens of the whole request. */
  get usedTokens(): number {
    return this.#overheadTokens + this.#pinned + this.#summaries + this.#recalled + this.#messages;
  }
  get length(): number {
    return this.#segments.length;
  }
  /** Tokens by content class, without the overhead. */
  get content(): ClassCounts {
    return { ...this.#content };
  }
  /** Tokens by purpose, without the overhead. */
  get totals(): SegmentTotals {
    return {
      pinned: this.#pinned,
      summaries: this.#summaries,
      recalled: this.#recalled,
      messages: this.#messages,
      summaryCount: this.#summaryCount,
    };
  }

  /** The first `count` segments, oldest first. They never change. */
  segments(count: number = this.#segments.length): readonly ContextSegment[] {
    return this.#segments.slice(0, count);
  }

  /** Messages that are sent as they are stored. */
  get wholeMessages(): Iterable<MessageId> {
    return this.#whole;
  }

  /** True for a message that is sent as it is stored. */
  hasWhole(id: MessageId): boolean {
    return this.#whole.has(id);
  }

  append(segment: ContextSegment): void {
    this.#segments.push(segment);
    if (segment.kind === "original" && this.#isWhole(segment.id)) this.#whole.add(segment.id);
    const isOriginal = segment.kind === "original" || segment.kind === "excerpt";
    this.#content[isOriginal ? this.#classOf(segment.id) : "prose"] += segment.tokens;
    if (segment.kind === "summary") {
      this.#summaries += segment.tokens;
      this.#summaryCount++;
    } else if (segment.kind === "recalled") this.#recalled += segment.tokens;
    else if (segment.kind !== "omitted" && this.#isPinned(segment.id)) this.#pinned += segment.tokens;
    else this.#messages += segment.tokens;
  }
}

/** A context with the overhead alone. */
export function emptyContext(
  { history, overhead }: { readonly history: FullHistory; readonly overhead: readonly RequestPart[] },
  isRefined: boolean,
): WorkingContext {
  return new WorkingContext({
    overheadTokens: sumOfParts(overhead),
    isRefined,
    isPinned: (id) => history.pins.has(id),
    classOf: (id) => history.entry(id).textClass ?? "prose",
    isWhole: (id) => history.entry(id).sentTokens === undefined,
  });
}
