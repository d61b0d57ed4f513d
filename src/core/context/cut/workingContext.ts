/**
 * The cut for one model: for every visible message, whether it is sent itself or replaced by a summary. Oldest first.
 * Only appended to; a different cut is a different object, so what was sent stays a prefix of what is sent next.
 */

import type { RequestPart } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { lowerBound } from "../../history/lowerBound.ts";
import type { SentAs } from "../../history/sentAs.ts";
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
  readonly #history: Pick<FullHistory, "pins" | "entry" | "isVisible">;
  /** Messages that are sent themselves. */
  readonly #sent = new Map<MessageId, SentAs>();
  readonly #summaryIds = new Set<SummaryId>();
  readonly #recalledIds = new Set<MessageId>();
  /** Segments that stand for several messages; disjoint, oldest first. */
  readonly #covering: CoveringSegment[] = [];
  readonly #overheadTokens: number;
  readonly #content: Record<ContentClass, number> = { ...NO_CONTENT };
  #pinned = 0;
  #summaries = 0;
  #recalled = 0;
  #messages = 0;

  /** With the overhead alone. */
  constructor(
    history: Pick<FullHistory, "pins" | "entry" | "isVisible">,
    overhead: readonly RequestPart[],
    isRefined: boolean,
  ) {
    this.#history = history;
    this.#overheadTokens = sumOfParts(overhead);
    this.isRefined = isRefined;
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
      summaryCount: this.#summaryIds.size,
    };
  }

  /** The first `count` segments, oldest first. They never change. */
  segments(count: number = this.#segments.length): readonly ContextSegment[] {
    return this.#segments.slice(0, count);
  }

  /** The form in which a message is sent. */
  sentAs(id: MessageId): SentAs {
    const sent = this.#sent.get(id);
    if (sent !== undefined) return sent;
    if (!this.#history.isVisible(this.#history.entry(id))) return EXCLUDED;
    const segment = this.#covering[lowerBound(this.#covering, ({ covers }) => covers.end <= id)];
    const isCovered = segment?.kind === "summary" && segment.covers.start <= id;
    return isCovered ? { kind: "summary", id: segment.id } : NOT_SENT;
  }

  hasSummary(id: SummaryId): boolean {
    return this.#summaryIds.has(id);
  }

  /** True if a passage of the message stands beside a question. */
  hasRecalled(id: MessageId): boolean {
    return this.#recalledIds.has(id);
  }

  append(segment: ContextSegment): void {
    this.#segments.push(segment);
    switch (segment.kind) {
      case "summary":
        this.#summaryIds.add(segment.id);
        this.#covering.push(segment);
        this.#summaries += segment.tokens;
        this.#content.prose += segment.tokens;
        break;
      case "recalled":
        for (const { id } of segment.passages) this.#recalledIds.add(id);
        this.#recalled += segment.tokens;
        this.#content.prose += segment.tokens;
        break;
      case "omitted":
        this.#covering.push(segment);
        break;
      case "original":
      case "excerpt": {
        const { id, tokens } = segment;
        const { textClass = "prose", sentTokens } = this.#history.entry(id);
        this.#sent.set(id, segment.kind === "excerpt" ? EXCERPT : sentTokens === undefined ? WHOLE : ORIGINAL);
        if (this.#history.pins.has(id)) this.#pinned += tokens;
        else this.#messages += tokens;
        this.#content[textClass] += tokens;
      }
    }
  }
}

type CoveringSegment = Extract<ContextSegment, { covers: MessageRange }>;

const WHOLE: SentAs = { kind: "original", isWhole: true };
const ORIGINAL: SentAs = { kind: "original", isWhole: false };
const EXCERPT: SentAs = { kind: "excerpt" };
const EXCLUDED: SentAs = { kind: "excluded" };
const NOT_SENT: SentAs = { kind: "notSent" };
