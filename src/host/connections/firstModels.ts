/** First model in a provider's list: the default when none is chosen. Waiting for the list is limited. */

import type { ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import type { Clock } from "../../core/clock.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { Result } from "../../core/result.ts";
import { Emitter } from "../background/emitter.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { ProviderName } from "./providerCatalog.ts";
import type { Providers } from "./providers.ts";

/** Longest wait for a list while a conversation is opened. */
const OPENING_LIMIT_MS = 3_000;
/** A list that arrives later is still used, up to this limit: the server or this machine may be busy. */
const LATE_LIST_LIMIT_MS = 60_000;
/** Interval of requests to a server that loads its model, which may take minutes. */
const LOADING_INTERVAL_MS = 2_000;

/** Best first; `undefined` when the provider is not set up. */
export interface ModelLister {
  models(name: ProviderName, limitMs?: number): Promise<Result<readonly OfferedModel[], ForgeError> | undefined>;
}

export class FirstModels {
  readonly #lister: ModelLister;
  readonly #providers: Pick<Providers, "addressOf">;
  readonly #clock: Pick<Clock, "after">;
  readonly #bugs: Pick<BugReporter, "report">;
  readonly #learned = new Emitter<void>();
  #known = new Map<ProviderName, ModelId>();
  /** Last known first model by address; used while the list is requested again. */
  readonly #lastByAddress = new Map<string, ModelId>();
  /** Providers with a list request that nobody waits for. */
  readonly #asked = new Set<ProviderName>();
  /** Providers whose server loads its model. */
  #loading = new Set<ProviderName>();

  /** Fires when such a request has ended. */
  readonly onDidLearn = this.#learned.event;

  constructor(
    lister: ModelLister,
    providers: Pick<Providers, "addressOf">,
    clock: Pick<Clock, "after">,
    bugs: Pick<BugReporter, "report">,
  ) {
    this.#lister = lister;
    this.#providers = providers;
    this.#clock = clock;
    this.#bugs = bugs;
  }

  /** First model if known, else the result of {@link FirstModels.ask}. */
  async firstModelOf(name: ProviderName): Promise<ModelId | undefined> {
    return this.#known.get(name) ?? this.ask(name);
  }

  /**
   * Requests the list. If that takes longer than {@link OPENING_LIMIT_MS}, returns the last known first model of the
   * same address and uses the list once it arrives.
   */
  async ask(name: ProviderName): Promise<ModelId | undefined> {
    const address = this.#providers.addressOf(name);
    const known = this.#known;
    const listing = this.#lister.models(name, LATE_LIST_LIMIT_MS).then((listed) => {
      if (isLoading(listed)) this.#askUntilLoaded(name).catch(this.#bugs.report);
      const first = listed?.ok === true ? listed.value[0]?.id : undefined;
      if (first === undefined) return undefined;
      known.set(name, first);
      this.#lastByAddress.set(address, first);
      return first;
    });
    const first = await this.#withinOpeningLimit(listing);
    if (first !== "late") return first;
    this.#requestInBackground(name, () => listing);
    return this.#lastByAddress.get(address);
  }

  /** Requests the list in the background, at most once until {@link FirstModels.reset}. */
  askInBackground(name: ProviderName): void {
    this.#requestInBackground(name, () => this.#lister.models(name));
  }

  /** Forgets the first models; pending requests no longer set them. */
  reset(): void {
    this.#known = new Map(); // pending requests write to the old map
    this.#asked.clear();
    this.#loading = new Set();
  }

  /** Requests the list again and again, until the server has loaded its model, fails otherwise, or {@link FirstModels.reset}. */
  async #askUntilLoaded(name: ProviderName): Promise<void> {
    const loading = this.#loading;
    if (loading.has(name)) return;
    loading.add(name);
    const known = this.#known;
    let isOver = false;
    while (!isOver) {
      await new Promise<void>((resolve) => this.#clock.after(LOADING_INTERVAL_MS, resolve));
      isOver = known !== this.#known || !isLoading(await this.#lister.models(name));
    }
    loading.delete(name);
    if (known === this.#known) this.#learned.fire();
  }

  #requestInBackground(name: ProviderName, listing: () => Promise<unknown>): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    listing().then(() => {
      this.#learned.fire();
    }, this.#bugs.report);
  }

  async #withinOpeningLimit<T>(asked: Promise<T>): Promise<T | "late"> {
    let cancel = (): void => undefined;
    const limit = new Promise<"late">((resolve) => {
      cancel = this.#clock.after(OPENING_LIMIT_MS, () => {
        resolve("late");
      });
    });
    const first = await Promise.race([asked, limit]);
    cancel();
    return first;
  }
}

function isLoading(listed: Awaited<ReturnType<ModelLister["models"]>>): boolean {
  return listed?.ok === false && listed.error.code === "SERVICE_UNAVAILABLE" && listed.error.reason === "loading";
}
