/**
 * Spending: refuses requests that exceed the user's limits, records each bill with its conversation and day, and
 * reports when a warning amount has been passed.
 */

import type { SpendingLedger } from "../../adapters/node/spendingLedger.ts";
import { fileFailure } from "../../adapters/node/files.ts";
import type { ForgeError, StorageFailed } from "../../core/errors.ts";
import type { UsageRecord } from "../../core/history/records.ts";
import { messageId } from "../../core/ids.ts";
import { costUsd } from "../../core/models/modelPrice.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import {
  exceededLimit,
  crossedWarnings,
  type CrossedWarning,
  type SpentSoFar,
} from "../../core/models/spendingLimits.ts";
import type { Clock } from "../../core/clock.ts";
import type { Provider } from "../../core/stream/provider.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { meteredProvider, type Meter, type MeteredRequest } from "../../core/stream/meteredProvider.ts";
import type { ProviderUsage } from "../../core/stream/streamEvent.ts";
import type { ProviderEndpoint } from "./providerFactory.ts";
import type { ActiveConversation } from "./activeConversation.ts";
import { Emitter } from "../background/emitter.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import type { Log } from "../editor/log.ts";
import { isFreeOfCharge } from "./spendingText.ts";

export class SpendingTracker {
  readonly #ledger: Pick<SpendingLedger, "add" | "spentOn" | "erase">;
  readonly #registry: ModelRegistry;
  readonly #settings: CurrentSettings;
  readonly #active: ActiveConversation;
  readonly #clock: Clock;
  readonly #log: Pick<Log, "error">;
  readonly #billed = new Emitter<readonly CrossedWarning[]>();
  /** Spent by this window today; covers failures of the ledger. */
  #ownSpending = { dayStartMs: 0, usd: 0 };

  /** Fires after each bill, with the warning amounts that it passed. */
  readonly onDidBill = this.#billed.event;

  constructor(
    ledger: Pick<SpendingLedger, "add" | "spentOn" | "erase">,
    registry: ModelRegistry,
    settings: CurrentSettings,
    active: ActiveConversation,
    clock: Clock,
    log: Pick<Log, "error">,
  ) {
    this.#ledger = ledger;
    this.#registry = registry;
    this.#settings = settings;
    this.#active = active;
    this.#clock = clock;
    this.#log = log;
  }

  /** Adds metering to a provider. */
  withMetering(provider: Provider, place: ProviderEndpoint): Provider {
    const isFree = isFreeOfCharge(place);
    const meter: Meter = {
      refusal: (request) => this.#refusal(request),
      billed: (request, usage) => this.#bill(request, usage, isFree),
    };
    return meteredProvider(provider, meter);
  }

  /** Spent so far, by all windows today and on the open conversation. */
  async spentSoFar(): Promise<SpentSoFar> {
    const ownSpending = this.#ownToday();
    const read = await this.#ledger.spentOn(this.#clock.nowMs()).catch((error: unknown) => {
      this.#log.error(`What was spent today cannot be read: ${String(error)}`);
      return 0;
    });
    const conversation = this.#active.session?.opened.conversation.history.spending.total.usd;
    return { dayUsd: Math.max(ownSpending, read), conversationUsd: conversation ?? 0 };
  }

  /** Deletes the amounts of all days. */
  async forget(): Promise<Result<void, StorageFailed>> {
    this.#ownSpending = { dayStartMs: 0, usd: 0 };
    try {
      await this.#ledger.erase();
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  async #refusal({ prepared, options }: MeteredRequest): Promise<ForgeError | undefined> {
    const limits = this.#settings.current.spending;
    if (limits.limitPerDayUsd === undefined && limits.limitPerConversationUsd === undefined) return undefined;
    const price = this.#registry.priceOf(options.model);
    const question = { inputTokens: prepared.usage().usedTokens, outputTokens: 0 };
    const nextUsd = price === undefined ? 0 : (costUsd(price, question) ?? 0);
    const broken = exceededLimit(limits, await this.spentSoFar(), nextUsd);
    return broken === undefined ? undefined : { code: "SPENDING_LIMIT", ...broken, nextUsd };
  }

  async #bill({ options }: MeteredRequest, usage: ProviderUsage, isFree: boolean): Promise<void> {
    const before = await this.spentSoFar();
    const price = this.#registry.priceOf(options.model);
    const cost = price === undefined ? (isFree ? 0 : undefined) : costUsd(price, usage);
    const atMs = this.#clock.nowMs();
    if (options.purpose !== "summary") await this.#recordInConversation({ model: options.model, usage, cost, atMs });
    if (cost !== undefined && cost > 0) await this.#recordInLedger(cost, atMs);
    const after = await this.spentSoFar();
    this.#billed.fire(crossedWarnings(this.#settings.current.spending, before, after));
  }

  /**
   * Records the bill in the conversation. A failure to store is not reported here: storing the answer, right after it,
   * reports it.
   */
  async #recordInConversation({ model, usage, cost, atMs }: Bill): Promise<void> {
    const opened = this.#active.session?.opened;
    if (opened === undefined) return;
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const record: UsageRecord = {
      kind: "usage",
      message: messageId(opened.conversation.history.length),
      model,
      inputTokens,
      outputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      ...(cost === undefined ? {} : { costUsd: cost }),
      atMs,
    };
    await opened.conversation.change([record]);
  }

  /** Records the bill for the day. */
  async #recordInLedger(cost: number, atMs: number): Promise<void> {
    this.#ownSpending = { dayStartMs: startOfDay(atMs), usd: this.#ownToday() + cost };
    await this.#ledger.add(cost, atMs).catch((error: unknown) => {
      this.#log.error(`What was spent cannot be kept: ${String(error)}`);
    });
  }

  #ownToday(): number {
    return this.#ownSpending.dayStartMs === startOfDay(this.#clock.nowMs()) ? this.#ownSpending.usd : 0;
  }
}

interface Bill {
  readonly model: UsageRecord["model"];
  readonly usage: ProviderUsage;
  /** `undefined` when the price is unknown. */
  readonly cost: number | undefined;
  readonly atMs: number;
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}
