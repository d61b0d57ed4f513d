/**
 * Compactions of another tool as summaries of Forge, each over the messages that it stands for, all of which stay. Holds
 * some bytes a message: their contents and the texts of the summaries are read when the records are made.
 */

import { messageId, summaryId, type MessageId } from "../../ids.ts";
import type { HistoryEntry, MessageState, TokenCounts } from "../../message.ts";
import type { SummaryRecord } from "../../history/records.ts";
import { sourceHash, type HashedEntry } from "../../history/summaries/sourceHash.ts";
import { byTool, type MessageRange, type Summary } from "../../history/summaries/summary.ts";
import { MOST_COVERED, MOST_DEPTH } from "../documentChecks.ts";
import type { Recount } from "../loadConversation.ts";
import type { HeldPart } from "./foreignConversation.ts";
import type { ForeignAnswer } from "./foreignTree.ts";
import type { MessageHolder } from "./heldMessages.ts";

/** The place of a compaction: messages of its branch. */
export interface CompactionPlace {
  /** The message before it. */
  readonly parent: MessageId;
  /** The one before the first that it stands for; `null`: there is none. Absent: the first one of its agent. */
  readonly after?: MessageId | null;
  readonly last: MessageId;
  readonly atMs: number;
}

interface Source {
  readonly covers: MessageRange;
  readonly level: number;
  readonly tokens: TokenCounts;
  readonly sentTokens: TokenCounts;
}

type Made = Pick<Summary, "covers" | "level" | "tokenCount" | "originalTokens" | "createdAtMs"> & {
  readonly parts: readonly HeldPart[];
};

/** So that a document with summaries of Forge's own around them can be imported again. */
const MOST_LEVELS = MOST_DEPTH / 2;
const UNCOUNTED: TokenCounts = { cl100k: 0, o200k: 0 };

export class Compactions {
  readonly #tool: string;
  readonly #holder: MessageHolder;
  readonly #recount: Recount;
  /** By message, like all these lists; -1: it begins the conversation. */
  readonly #parents: number[] = [];
  readonly #states: MessageState[] = [];
  readonly #isAside: boolean[] = [];
  readonly #tokens: TokenCounts[] = [];
  readonly #sentTokens = new Map<number, TokenCounts>();
  readonly #made: Made[] = [];
  /** Those that were made, by the last message that they stand for. */
  readonly #endingAt = new Map<number, Pick<Made, "covers" | "level">[]>();
  /** Messages that were looked at for them. */
  #covered = 0;

  constructor(tool: string, holder: MessageHolder, recount: Recount) {
    this.#tool = tool;
    this.#holder = holder;
    this.#recount = recount;
  }

  /** The next message of the conversation. */
  add({ id, state, tokens, sentTokens }: HistoryEntry, parent: number, isAside: boolean): void {
    this.#parents.push(parent);
    this.#states.push(state);
    this.#isAside.push(isAside);
    this.#tokens.push(tokens);
    if (sentTokens !== undefined) this.#sentTokens.set(id, sentTokens);
  }

  /**
   * True if it becomes a summary. False if it says nothing, or the messages that it stands for are not in its branch or
   * no longer than it: then it is a message.
   */
  take({ parts, isAside }: ForeignAnswer, place: CompactionPlace): boolean {
    const source = this.#sourceOf(place, isAside);
    if (source === undefined) return false;
    const { covers, level, tokens, sentTokens } = source;
    const content = this.#textOf(parts);
    if (content.trim() === "") return false;
    const summary = this.#summaryOf({ covers, level, createdAtMs: place.atMs }, content);
    const counted = this.#recount({ kind: "summary", summary }, { tokensIn: () => tokens });
    if (counted.kind !== "summary") return false;
    const { tokenCount, originalTokens } = counted.summary;
    if (tokenCount.cl100k >= sentTokens.cl100k || tokenCount.o200k >= sentTokens.o200k) return false;
    this.#made.push({ covers, level, tokenCount, originalTokens, createdAtMs: place.atMs, parts });
    const known = this.#endingAt.get(place.last);
    if (known === undefined) this.#endingAt.set(place.last, [{ covers, level }]);
    else known.push({ covers, level });
    return true;
  }

  /** After all messages, in the order of the file. */
  *records(): Generator<SummaryRecord> {
    for (const [index, { parts, ...made }] of this.#made.entries()) {
      const sourceHashNow = this.#hashOf(made.covers);
      const whole = this.#summaryOf(made, this.#textOf(parts));
      yield { kind: "summary", summary: { ...whole, ...made, id: summaryId(index), sourceHash: sourceHashNow } };
    }
  }

  #summaryOf(made: Pick<Summary, "covers" | "level" | "createdAtMs">, content: string): Summary {
    return {
      id: summaryId(this.#made.length),
      kind: "conversation",
      content,
      tokenCount: UNCOUNTED,
      originalTokens: UNCOUNTED,
      generatedBy: byTool(this.#tool),
      sourceHash: "",
      factsKept: 0,
      factsTotal: 0,
      state: "active",
      ...made,
    };
  }

  #textOf(parts: readonly HeldPart[]): string {
    const texts = parts.map((part) => this.#holder.part(part));
    return texts.every(({ kind }) => kind === "attachment")
      ? texts.map((part) => (part.kind === "attachment" ? part.text : "")).join("\n\n")
      : "";
  }

  #sourceOf({ parent, after, last }: CompactionPlace, isAside: boolean): Source | undefined {
    this.#covered += parent + 1;
    if (this.#covered > MOST_COVERED || !this.#isOnWay(last, parent)) return undefined;
    const sums = { tokens: { ...UNCOUNTED }, sentTokens: { ...UNCOUNTED } };
    const inside: Pick<Made, "covers" | "level">[] = [];
    let start = -1;
    let at: number = last;
    while (at >= 0 && at !== after && (after !== undefined || !isAside || this.#isAside[at] === true)) {
      const tokens = this.#tokens[at] ?? UNCOUNTED;
      add(sums.tokens, tokens);
      add(sums.sentTokens, this.#sentTokens.get(at) ?? tokens);
      inside.push(...(this.#endingAt.get(at) ?? []));
      start = at;
      at = this.#parents[at] ?? -1;
    }
    if (start < 0 || (typeof after === "number" && at !== after)) return undefined;
    const levels = inside.filter(({ covers }) => covers.start >= start).map(({ level }) => level);
    const level = Math.max(0, ...levels) + 1;
    if (level > MOST_LEVELS) return undefined;
    return { covers: { start: messageId(start), end: messageId(last + 1) }, level, ...sums };
  }

  #isOnWay(ancestor: number, from: number): boolean {
    let at = from;
    while (at > ancestor) at = this.#parents[at] ?? -1;
    return at === ancestor;
  }

  /** As it is while the branch of the compaction is shown. */
  #hashOf({ start, end }: MessageRange): string {
    const isShown = new Uint8Array(end - start);
    for (let at = end - 1; at >= start; at = this.#parents[at] ?? -1) isShown[at - start] = 1;
    return sourceHash(this.#entries(start, end), ({ id }) => isShown[id - start] === 1);
  }

  *#entries(start: number, end: number): Generator<HashedEntry> {
    for (let id = start; id < end; id++) yield { id: messageId(id), state: this.#states[id] ?? "complete" };
  }
}

function add(sum: { cl100k: number; o200k: number }, { cl100k, o200k }: TokenCounts): void {
  sum.cl100k += cl100k;
  sum.o200k += o200k;
}
