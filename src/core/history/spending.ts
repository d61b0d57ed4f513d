/** Cost of a conversation: of each answer, and of its summaries. */

import type { MessageId } from "../ids.ts";
import type { CompactionReceipt, UsageRecord } from "./records.ts";

export interface Spent {
  /** US dollars, of all requests whose price is known. */
  readonly usd: number;
  /** Number of requests whose price is unknown. */
  readonly unpricedRequests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Included in `inputTokens`. */
  readonly cacheReadTokens: number;
}

export const NOTHING_SPENT: Spent = {
  usd: 0,
  unpricedRequests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
};

export class ConversationSpending {
  readonly #records: UsageRecord[] = [];
  readonly #receipts: CompactionReceipt[] = [];
  readonly #byMessage = new Map<MessageId, Spent>();
  #total = NOTHING_SPENT;

  /** Oldest first. */
  get records(): readonly UsageRecord[] {
    return this.#records;
  }

  /** Oldest first. */
  get receipts(): readonly CompactionReceipt[] {
    return this.#receipts;
  }

  /** Excludes what was spent in the conversation that this one was forked from. */
  get total(): Spent {
    return this.#total;
  }

  addAll(other: ConversationSpending): void {
    for (const record of other.records) this.add(record);
    for (const receipt of other.receipts) this.addReceipt(receipt);
  }

  /** Cost of message `id`; `undefined` if none is recorded. */
  of(id: MessageId): Spent | undefined {
    return this.#byMessage.get(id);
  }

  add(record: UsageRecord): void {
    this.#records.push(record);
    this.#byMessage.set(record.message, plus(this.of(record.message) ?? NOTHING_SPENT, record));
    if (record.inOrigin === undefined) this.#total = plus(this.#total, record);
  }

  /** A compaction that used no model cost nothing. */
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
    unpricedRequests: spent.unpricedRequests + (costUsd === undefined ? 1 : 0),
    inputTokens: spent.inputTokens + billed.inputTokens,
    outputTokens: spent.outputTokens + billed.outputTokens,
    cacheReadTokens: spent.cacheReadTokens + billed.cacheReadTokens,
  };
}
