/** What a conversation has cost: its answers, each for itself, and the making of its summaries. */

import type { MessageId } from "../ids.ts";
import type { CompactionReceipt, UsageRecord } from "./records.ts";

/** A sum of what was billed. */
export interface Spent {
  /** US dollars for everything whose price is known. */
  readonly usd: number;
  /** How many requests have a price that is not known. */
  readonly unknownCount: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** A part of `inputTokens`. */
  readonly cacheReadTokens: number;
}

/** Nothing was billed. */
export const NOTHING_SPENT: Spent = { usd: 0, unknownCount: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };

/** Adds up the records of one conversation. */
export class ConversationSpending {
  readonly #records: UsageRecord[] = [];
  readonly #receipts: CompactionReceipt[] = [];
  readonly #byMessage = new Map<MessageId, Spent>();
  #total = NOTHING_SPENT;

  /** Every usage record, oldest first. */
  get records(): readonly UsageRecord[] {
    return this.#records;
  }

  /** What every compaction did, oldest first. */
  get receipts(): readonly CompactionReceipt[] {
    return this.#receipts;
  }

  /** All of it; without what was spent in the conversation that this one was forked from. */
  get total(): Spent {
    return this.#total;
  }

  /** Takes in all that another one holds. */
  addAll(other: ConversationSpending): void {
    for (const record of other.records) this.add(record);
    for (const receipt of other.receipts) this.addReceipt(receipt);
  }

  /** What message `id` has cost; `undefined` where nothing is known of it. */
  of(id: MessageId): Spent | undefined {
    return this.#byMessage.get(id);
  }

  /** Takes in what a request for an answer was billed. */
  add(record: UsageRecord): void {
    this.#records.push(record);
    this.#byMessage.set(record.message, plus(this.of(record.message) ?? NOTHING_SPENT, record));
    if (record.inOrigin === undefined) this.#total = plus(this.#total, record);
  }

  /** Takes in what a compaction was billed. One that used no model cost nothing. */
  addReceipt(receipt: CompactionReceipt): void {
    this.#receipts.push(receipt);
    const { calls, costUsd, billedInputTokens = 0, billedOutputTokens = 0 } = receipt;
    if (calls === 0 || receipt.inOrigin === true) return;
    const billed = { inputTokens: billedInputTokens, outputTokens: billedOutputTokens, cacheReadTokens: 0 };
    this.#total = plus(this.#total, costUsd === undefined ? billed : { ...billed, costUsd });
  }
}

type Billed = Pick<UsageRecord, "inputTokens" | "outputTokens" | "cacheReadTokens" | "costUsd">;

function plus(spent: Spent, { costUsd, ...billed }: Billed): Spent {
  return {
    usd: spent.usd + (costUsd ?? 0),
    unknownCount: spent.unknownCount + (costUsd === undefined ? 1 : 0),
    inputTokens: spent.inputTokens + billed.inputTokens,
    outputTokens: spent.outputTokens + billed.outputTokens,
    cacheReadTokens: spent.cacheReadTokens + billed.cacheReadTokens,
  };
}
