/** The model that a server names first, which answers where none is chosen; waited for only as long as a user would. */

import type { ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import type { Clock } from "../../core/clock.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { Result } from "../../core/result.ts";
import type { ProviderName } from "./providerCatalog.ts";

/** How long a conversation that is being opened waits for a list of models. */
const OPENING_LIMIT_MS = 3_000;
/** What comes after that is still taken, until then: a server may be busy, and so may this machine. */
const LATE_LIST_LIMIT_MS = 60_000;

/** What is needed to learn it. */
export interface FirstModelsOptions {
  /** Asks for the models of a provider, best first, within `limitMs`; `undefined` when it is not set up. */
  readonly list: (
    name: ProviderName,
    limitMs?: number,
  ) => Promise<Result<readonly OfferedModel[], ForgeError> | undefined>;
  /** Address of a provider. */
  readonly addressOf: (name: ProviderName) => string;
  /** A provider is being asked for its models, and nobody waits for it; when it has answered, more is known than now. */
  readonly asking: (asked: Promise<unknown>) => void;
  readonly clock: Pick<Clock, "after">;
}

/** Remembers the first model of each provider. */
export class FirstModels {
  readonly #options: FirstModelsOptions;
  #known = new Map<ProviderName, ModelId>();
  /** The same by address, as it was told last; good enough while it is asked for again. */
  readonly #toldAt = new Map<string, ModelId>();
  /** Providers that were asked while nobody waited for it. */
  readonly #asked = new Set<ProviderName>();

  constructor(options: FirstModelsOptions) {
    this.#options = options;
  }

  /** The first model where it is known, else what {@link FirstModels.ask} comes to. */
  async of(name: ProviderName): Promise<ModelId | undefined> {
    return this.#known.get(name) ?? this.ask(name);
  }

  /**
   * The first model of the list, once that is there; `undefined` where it cannot be had. Where it takes longer than a
   * conversation may take to be opened, it is still taken when it comes, and until then the one that was told before is.
   */
  async ask(name: ProviderName): Promise<ModelId | undefined> {
    const address = this.#options.addressOf(name);
    const known = this.#known;
    const listing = this.#options.list(name, LATE_LIST_LIMIT_MS).then((listed) => {
      const first = listed?.ok === true ? listed.value[0]?.id : undefined;
      if (first === undefined) return undefined;
      known.set(name, first);
      this.#toldAt.set(address, first);
      return first;
    });
    const first = await this.#soon(listing);
    if (first !== "late") return first;
    this.#goOnAsking(name, () => listing);
    return this.#toldAt.get(address);
  }

  /** Asks for the list, once, while nobody waits for it. */
  askQuietly(name: ProviderName): void {
    this.#goOnAsking(name, () => this.#options.list(name));
  }

  /** Forgets what was told; what is still on its way is forgotten, too. */
  reset(): void {
    this.#known = new Map(); // an answer that is still on its way goes into the old one
    this.#asked.clear();
  }

  #goOnAsking(name: ProviderName, listing: () => Promise<unknown>): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.#options.asking(listing());
  }

  /** What `asked` comes to, unless that takes longer than a conversation may take to be opened. */
  async #soon<T>(asked: Promise<T>): Promise<T | "late"> {
    let cancel = (): void => undefined;
    const limit = new Promise<"late">((resolve) => {
      cancel = this.#options.clock.after(OPENING_LIMIT_MS, () => {
        resolve("late");
      });
    });
    const first = await Promise.race([asked, limit]);
    cancel();
    return first;
  }
}
