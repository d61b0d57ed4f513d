/**
 * What is spent: refuses a request that the user's limits do not allow, keeps what each was billed with its conversation
 * and with its day, and says so when an amount is passed of which the user wants to be told.
 */

import type { SpendingLedger } from "../../adapters/node/spendingLedger.ts";
import { fileFailure } from "../../adapters/node/files.ts";
import type { ForgeError, StorageFailed } from "../../core/errors.ts";
import type { UsageRecord } from "../../core/history/records.ts";
import { messageId } from "../../core/ids.ts";
import { costUsd } from "../../core/models/modelPrice.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import { brokenLimit, passedWarnings, type SpentSoFar } from "../../core/models/spendingLimits.ts";
import type { Clock } from "../../core/clock.ts";
import type { Provider } from "../../core/stream/provider.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { meteredProvider, type Meter, type MeteredRequest } from "../../core/stream/meteredProvider.ts";
import type { ProviderUsage } from "../../core/stream/streamEvent.ts";
import type { Banner } from "../../protocol/toView.ts";
import type { ProviderPlace } from "../connections/makeProvider.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { Settings } from "../editor/settings.ts";
import { isFreeOfCharge, warningBanner } from "../connections/spendingWords.ts";

/** What it works with. */
export interface SpendingOptions {
  readonly ledger: Pick<SpendingLedger, "add" | "spentOn" | "erase">;
  readonly clock: Clock;
  readonly registry: ModelRegistry;
  readonly settings: () => Settings;
  /** The conversation that is open in this window: all requests are for it. */
  readonly opened: () => Pick<OpenConversation, "conversation"> | undefined;
  readonly showBanner: (banner: Banner) => void;
  /** What it has come to changed. */
  readonly changed: () => void;
  readonly logError: (text: string) => void;
}

/** Keeps the accounts of this window. */
export class Spending {
  readonly #options: SpendingOptions;
  /** What this window spent itself; the ledger may fail. */
  #own = { dayStartMs: 0, usd: 0 };

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** The provider, metered. */
  around(provider: Provider, place: ProviderPlace): Provider {
    const isFree = isFreeOfCharge(place);
    const meter: Meter = {
      refusal: (request) => this.#refusal(request),
      billed: (request, usage) => this.#billed(request, usage, isFree),
    };
    return meteredProvider(provider, meter);
  }

  /** What was spent before now, by all windows today and on the open conversation. */
  async soFar(): Promise<SpentSoFar> {
    const { ledger, clock, opened, logError } = this.#options;
    const own = this.#ownToday();
    const read = await ledger.spentOn(clock.nowMs()).catch((error: unknown) => {
      logError(`What was spent today cannot be read: ${String(error)}`);
      return 0;
    });
    return { dayUsd: Math.max(own, read), conversationUsd: opened()?.conversation.history.spending.total.usd ?? 0 };
  }

  /** Forgets what every day has come to. */
  async forget(): Promise<Result<void, StorageFailed>> {
    this.#own = { dayStartMs: 0, usd: 0 };
    try {
      await this.#options.ledger.erase();
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  async #refusal({ prepared, options }: MeteredRequest): Promise<ForgeError | undefined> {
    const limits = this.#options.settings().spending;
    if (limits.limitPerDayUsd === undefined && limits.limitPerConversationUsd === undefined) return undefined;
    const price = this.#options.registry.priceOf(options.model);
    const question = { inputTokens: prepared.usage().usedTokens, outputTokens: 0 };
    const nextUsd = price === undefined ? 0 : (costUsd(price, question) ?? 0);
    const broken = brokenLimit(limits, await this.soFar(), nextUsd);
    return broken === undefined ? undefined : { code: "SPENDING_LIMIT", ...broken, nextUsd };
  }

  async #billed({ options }: MeteredRequest, usage: ProviderUsage, isFree: boolean): Promise<void> {
    const { registry, clock, settings, showBanner, changed } = this.#options;
    const before = await this.soFar();
    const price = registry.priceOf(options.model);
    const cost = price === undefined ? (isFree ? 0 : undefined) : costUsd(price, usage);
    const atMs = clock.nowMs();
    if (options.purpose !== "summary") await this.#keep({ model: options.model, usage, cost, atMs });
    if (cost !== undefined && cost > 0) await this.#add(cost, atMs);
    const after = await this.soFar();
    for (const passed of passedWarnings(settings().spending, before, after)) showBanner(warningBanner(passed));
    changed();
  }

  /** With its conversation. What cannot be stored is said by what stores the answer itself, right behind it. */
  async #keep({ model, usage, cost, atMs }: Bill): Promise<void> {
    const opened = this.#options.opened();
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

  /** With its day. */
  async #add(cost: number, atMs: number): Promise<void> {
    this.#own = { dayStartMs: startOfDay(atMs), usd: this.#ownToday() + cost };
    await this.#options.ledger.add(cost, atMs).catch((error: unknown) => {
      this.#options.logError(`What was spent cannot be kept: ${String(error)}`);
    });
  }

  #ownToday(): number {
    return this.#own.dayStartMs === startOfDay(this.#options.clock.nowMs()) ? this.#own.usd : 0;
  }
}

interface Bill {
  readonly model: UsageRecord["model"];
  readonly usage: ProviderUsage;
  /** `undefined`: the price is unknown. */
  readonly cost: number | undefined;
  readonly atMs: number;
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}
