/** The model that a server names first, which answers where none is chosen; waited for only as long as a user would. */

import type { ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import type { Clock } from "../../core/clock.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { Result } from "../../core/result.ts";
import { Emitter } from "../background/emitter.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { ProviderName } from "./providerCatalog.ts";
import type { Providers } from "./providers.ts";

/** How long a conversation that is being opened waits for a list of models. */
const OPENING_LIMIT_MS = 3_000;
/** What comes after that is still taken, until then: a server may be busy, and so may this machine. */
const LATE_LIST_LIMIT_MS = 60_000;

/** Who asks providers for their models, best first; `undefined` when one is not set up. */
export interface ModelLister {
  models(name: ProviderName, limitMs?: number): Promise<Result<readonly OfferedModel[], ForgeError> | undefined>;
}

/** Remembers the first model of each provider. */
export class FirstModels {
  readonly #lister: ModelLister;
  readonly #providers: Pick<Providers, "addressOf">;
  readonly #clock: Pick<Clock, "after">;
  readonly #bugs: Pick<BugReporter, "report">;
  readonly #learned = new Emitter<void>();
  #known = new Map<ProviderName, ModelId>();
  /** The same by address, as it was told last; good enough while it is asked for again. */
  readonly #toldAt = new Map<string, ModelId>();
  /** Providers that were asked while nobody waited for it. */
  readonly #asked = new Set<ProviderName>();

  /** Fires when a provider has answered for whom nobody waited: more is known than before. */
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

  /** The first model where it is known, else what {@link FirstModels.ask} comes to. */
  async of(name: ProviderName): Promise<ModelId | undefined> {
    return this.#known.get(name) ?? this.ask(name);
  }

  /**
   * The first model of the list, once that is there; `undefined` where it cannot be had. Where it takes longer than a
   * conversation may take to be opened, it is still taken when it comes, and until then the one that was told before is.
   */
  async ask(name: ProviderName): Promise<ModelId | undefined> {
    const address = this.#providers.addressOf(name);
    const known = this.#known;
    const listing = this.#lister.models(name, LATE_LIST_LIMIT_MS).then((listed) => {
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
    this.#goOnAsking(name, () => this.#lister.models(name));
  }

  /** Forgets what was told; what is still on its way is forgotten, too. */
  reset(): void {
    this.#known = new Map(); // an answer that is still on its way goes into the old one
    this.#asked.clear();
  }

  #goOnAsking(name: ProviderName, listing: () => Promise<unknown>): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    listing().then(() => {
      this.#learned.fire();
    }, this.#bugs.report);
  }

  /** What `asked` comes to, unless that takes longer than a conversation may take to be opened. */
  async #soon<T>(asked: Promise<T>): Promise<T | "late"> {
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
