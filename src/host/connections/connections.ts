/**
 * Choice of provider and model: the conversation's, else the settings', else the first one set up, else the offline
 * mode. Each choice comes with its reason.
 */

import { modelName } from "../../core/models/modelName.ts";
import type { ContextCut } from "../../adapters/ollama/client.ts";
import type { Clock } from "../../core/clock.ts";
import { type ForgeError, unavailable } from "../../core/errors.ts";
import { modelId, type ModelId } from "../../core/ids.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { OfferedModel, Provider } from "../../core/stream/provider.ts";
import type { Result } from "../../core/result.ts";
import { failedRequestLine, type FailedRequest } from "../../core/stream/failedRequest.ts";
import { localize } from "../../protocol/localize.ts";
import { Emitter } from "../background/emitter.ts";
import { CutWindows } from "./cutWindows.ts";
import { FirstModels, type ModelLister } from "./firstModels.ts";
import {
  AUTOMATIC_ORDER,
  DEFAULT_MODELS,
  isProviderName,
  parseChoice,
  parseModelSetting,
  PROVIDER_LABELS,
  type ModelChoice,
  type ProviderName,
} from "./providerCatalog.ts";
import { ListedModels } from "./listedModels.ts";
import type { AddressProblem, Providers } from "./providers.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import type { Log } from "../editor/log.ts";
import type { UserStorage } from "../editor/userStorage.ts";
import {
  invalidAddress,
  isServerName,
  type ServerName,
  unencryptedAddress,
  UnreachableServers,
} from "./unreachableServers.ts";

export interface Connection {
  readonly providerName: ProviderName;
  /** Guarded: each stream has exactly one end. */
  readonly provider: Provider;
  readonly model: ModelId;
  /** False for the offline mode. */
  readonly isLanguageModel: boolean;
  /** True when the model takes images; absent where its provider does not say. */
  readonly seesImages?: boolean;
  /** Reason for the choice, for the user: "A key for Anthropic is set". */
  readonly why: string;
}

/** The model that writes a conversation's summaries, as far as the conversation needs to know it. */
export type Summarizers = Pick<
  Connections,
  "summarizer" | "summarizerModel" | "summarizerProvider" | "summarizerProblem"
>;

/** Stand-in limits for the offline mode, so that a conversation grows as with a common model. */
const OFFLINE_LIMITS = { contextWindow: 200_000, maxOutput: 64_000 };

/** Timeout of a model list for the picker. */
const LIST_LIMIT_MS = 10_000;
/** The same, of one that holds up a message. A server that is back answers at once. */
const BACK_LIMIT_MS = 2_000;

/** Key in the editor's storage of the model picked last, the default for new conversations. May be lost. */
const LAST_CHOICE = "forge.lastChoice";

export class Connections implements ModelLister {
  readonly #providers: Providers;
  readonly #registry: ModelRegistry;
  readonly #settings: CurrentSettings;
  readonly #storage: UserStorage;
  readonly #log: Pick<Log, "warn">;
  readonly #firstModels: FirstModels;
  readonly #unreachableReasons = new UnreachableServers();
  readonly #cutWindows = new CutWindows();
  /** As of the last {@link Connections.resolve}. */
  #addressProblems: ReadonlyMap<ProviderName, AddressProblem> = new Map();
  readonly #listedModels: ListedModels;
  /** Providers that were to write summaries, and are not set up. */
  readonly #withoutSummarizer = new Set<ProviderName>();
  /** Servers that could not answer since they did last: each may come back with other models or windows. */
  readonly #away = new Set<ProviderName>();
  readonly #learned = new Emitter<void>();
  readonly #nothingFound = new Emitter<void>();

  /** Fires when the set of unreachable servers, or a reason, changes. */
  readonly onDidChangeUnreachable = this.#unreachableReasons.onDidChange;
  /** Fires when more is known about models: an open conversation may need to reconnect. */
  readonly onDidLearn = this.#learned.event;
  /** Fires when nothing that the user has set up can answer. */
  readonly onDidFindNothing = this.#nothingFound.event;

  constructor(
    providers: Providers,
    registry: ModelRegistry,
    settings: CurrentSettings,
    storage: UserStorage,
    clock: Pick<Clock, "after">,
    log: Pick<Log, "warn">,
    bugs: Pick<BugReporter, "report">,
  ) {
    this.#providers = providers;
    this.#registry = registry;
    this.#settings = settings;
    this.#storage = storage;
    this.#log = log;
    this.#listedModels = new ListedModels(storage);
    this.#firstModels = new FirstModels(this, providers, clock, bugs);
    this.#firstModels.onDidLearn(() => {
      this.#learned.fire();
    });
    registry.setLive(modelId("offline"), OFFLINE_LIMITS);
  }

  /**
   * Picks provider and model: `chosen` if available, else by the settings. `lastModel`, which answered in this
   * conversation before, is used when a server cannot list its models now. Never fails: offline is always available.
   * While an address must not be used, only a provider that the user names takes the place of the one that was meant.
   */
  async resolve(chosen: ModelChoice | undefined, lastModel?: ModelId): Promise<Connection> {
    const providers = this.#providers;
    const { provider: wanted, model } = this.#settings.current;
    const isLeftToForge = wanted === "auto" && model === "";
    this.#addressProblems = await providers.addressProblems();
    const problems = this.#addressProblems;
    const choice =
      chosen ?? (isLeftToForge && problems.size === 0 ? parseChoice(this.#storage.get(LAST_CHOICE)) : undefined);
    if (choice !== undefined && isProviderName(choice.provider)) {
      const provider = await providers.get(choice.provider);
      const why =
        chosen === undefined
          ? localize("It is the model that you picked last")
          : localize("It was picked for this conversation");
      if (provider !== undefined) return this.#withLimits(connection(choice.provider, provider, choice.model, why));
    }
    const isMisdirected = choice !== undefined && isProviderName(choice.provider) && problems.has(choice.provider);
    for (const name of wanted === "auto" ? this.#automaticOrder() : isMisdirected ? [] : [wanted]) {
      const found = await this.connect(name, lastModel);
      if (found !== undefined) return found;
    }
    if (wanted === "auto" && problems.size === 0) this.#nothingFound.fire();
    const why =
      wanted === "offline"
        ? localize("Set in the settings")
        : problems.size > 0
          ? localize("An address in the settings cannot be used")
          : this.#unreachableReasons.reasons.size > 0
            ? localize("No configured provider is available now")
            : localize("No provider is set up");
    return connection("offline", await providers.offline(), modelId("offline"), why);
  }

  /** Empty while an address must not be used: what was meant for it goes to no other service by itself. */
  #automaticOrder(): readonly ProviderName[] {
    return this.#addressProblems.size > 0 ? [] : AUTOMATIC_ORDER.filter((name) => this.#providers.isSetUp(name));
  }

  /** Connects with the default model, else `lastModel`; `undefined` when provider or model is not available. */
  async connect(name: ProviderName, lastModel?: ModelId): Promise<Connection | undefined> {
    const provider = await this.#providers.get(name);
    const model = provider === undefined ? undefined : ((await this.#defaultModel(name)) ?? lastModel);
    if (provider === undefined || model === undefined) return undefined;
    return this.#withLimits(connection(name, provider, model, this.#reasonFor(name, provider)));
  }

  /** Makes the connection the default for new conversations. */
  rememberChoice({ providerName, model }: Connection): void {
    void this.#storage.update(LAST_CHOICE, { provider: providerName, model } satisfies ModelChoice);
  }

  /** Model that writes summaries: the user's choice, else the small one of the conversation's provider. */
  summarizerModel(main: Connection): ModelId {
    return this.#summarizerOf(main).model;
  }

  /** Provider of {@link Connections.summarizerModel}. */
  summarizerProvider(main: Connection): ProviderName {
    return this.#summarizerOf(main).provider;
  }

  /** Why the chosen model does not write summaries, for the user; empty when it does. */
  summarizerProblem(main: Connection): string {
    const { provider, model } = this.#chosenSummarizer(main) ?? {};
    if (provider === undefined || model === undefined || !this.#withoutSummarizer.has(provider)) return "";
    return localize(
      "Summaries are written by {0}: {1} of the setting {2} cannot be asked, since {3} is not set up.",
      modelName(this.summarizerModel(main)),
      modelName(model),
      "forge.summarizationModel",
      PROVIDER_LABELS[provider],
    );
  }

  /**
   * Connects to the model that writes summaries. Where its provider is not set up, the conversation's takes its place:
   * it has read the messages anyway.
   */
  async summarizer(main: Connection): Promise<Connection> {
    const chosen = this.#chosenSummarizer(main);
    const provider = chosen?.provider ?? main.providerName;
    if (chosen !== undefined && provider !== main.providerName) {
      const other = await this.#providers.get(provider);
      if (other === undefined) this.#withoutSummarizer.add(provider);
      else {
        this.#withoutSummarizer.delete(provider);
        const why = localize("It is the model for summaries in the settings");
        return this.#withLimits(connection(provider, other, chosen.model, why));
      }
    }
    return { ...main, model: this.summarizerModel(main) };
  }

  /**
   * The model of the setting. A name that begins as a provider's may also be the whole name of a model of the
   * conversation's own server, such as a router: then it is meant, and the text goes nowhere else.
   */
  #chosenSummarizer({ providerName }: Connection): ReturnType<typeof parseModelSetting> {
    const { summarizationModel } = this.#settings.current;
    const model = modelId(summarizationModel);
    const isItsOwn = isServerName(providerName) && this.#listedModels.isListed(providerName, model);
    return isItsOwn ? { provider: providerName, model } : parseModelSetting(summarizationModel);
  }

  #summarizerOf(main: Connection): { readonly provider: ProviderName; readonly model: ModelId } {
    const chosen = this.#chosenSummarizer(main);
    const provider = chosen?.provider ?? main.providerName;
    if (chosen !== undefined && !this.#withoutSummarizer.has(provider)) return { provider, model: chosen.model };
    const { providerName } = main;
    return { provider: providerName, model: this.#registry.smallModelOf(providerName) ?? main.model };
  }

  /**
   * Lists models, best first, and registers their reported limits. `undefined` when the provider is not set up.
   * `isAside`: a failure is not told.
   */
  async models(
    name: ProviderName,
    limitMs = LIST_LIMIT_MS,
    isAside = false,
  ): Promise<Result<readonly OfferedModel[], ForgeError> | undefined> {
    const provider = await this.#providers.get(name);
    if (provider === undefined) return undefined;
    const listed = await provider.listModels(AbortSignal.timeout(limitMs));
    if (!listed.ok && isAside) return listed;
    if (!listed.ok) {
      this.recordFailure({
        provider: name,
        asked: "models",
        error: cancelledAsStalled(name, listed.error),
        answered: {},
        attempt: 1,
      });
    }
    if (isServerName(name)) {
      this.#unreachableReasons.recordModelList(name, new URL(this.#providers.addressOf(name)).host, listed);
      if (listed.ok && this.#listedModels.record(name, listed.value)) this.#learned.fire();
    }
    for (const model of listed.ok ? listed.value : []) {
      const { id, limits } = model;
      this.#registry.setAbilities(id, isOneAtATime(name, id) ? { slots: 1, ...model } : model);
      if (limits !== undefined) this.#registry.setLive(id, this.#cutWindows.correctedLimits(id, limits));
    }
    return listed;
  }

  /**
   * Addresses that must not be used, and reasons why servers are unreachable: all of them when offline, else only the
   * connection's own; or that its model is gone.
   */
  unreachableReasons({ isLanguageModel, provider, providerName, model }: Connection): readonly string[] {
    const problems = [...this.#addressProblems].map(([name, problem]) =>
      problem === "invalid" ? invalidAddress(name) : unencryptedAddress(this.#providers.addressOf(name)),
    );
    const unreachable = [...this.#unreachableReasons.reasons].filter(
      ([name]) => !isLanguageModel || name === providerName,
    );
    const isGone = isServerName(providerName) && this.#listedModels.isGone(providerName, model);
    return [
      ...problems,
      ...unreachable.map(([, words]) => words),
      ...(isGone ? [modelGone(provider.label, model)] : []),
    ];
  }

  /** Providers that {@link Connections.unreachableReasons} may name. */
  get unreachableServers(): readonly ProviderName[] {
    return [...new Set([...this.#addressProblems.keys(), ...this.#unreachableReasons.reasons.keys()])];
  }

  /** Addresses to which a key would be sent without encryption. */
  get unencryptedAddresses(): readonly string[] {
    const names = [...this.#addressProblems].filter(([, problem]) => problem === "unencrypted").map(([name]) => name);
    return names.map((name) => this.#providers.addressOf(name)).filter((address) => address !== "");
  }

  /** A server has cut the conversation: plans with the allocated window from now on, if that was the cause. */
  noteCut({ of, model, givenTokens }: ContextCut): void {
    if (of === "window") this.learnWindow(model, givenTokens);
    this.#learned.fire();
  }

  /** Plans with this window, in tokens, instead of the larger one that the server reported. */
  learnWindow(model: ModelId, contextWindow: number): void {
    this.#cutWindows.learn(model, contextWindow);
    this.#registry.setLive(model, { contextWindow });
  }

  /** A server has reported a model's window that had been a guess. */
  noteWindow(model: ModelId, contextWindow: number): void {
    this.#registry.setLive(model, this.#cutWindows.correctedLimits(model, { contextWindow }));
    this.#learned.fire();
  }

  /** Logs a failed request and learns from it. */
  recordFailure(failed: FailedRequest): void {
    const line = failedRequestLine(failed);
    if (line !== undefined) this.#log.warn(line);
    if (isAway(failed.error) && isProviderName(failed.provider)) this.#away.add(failed.provider);
    if (this.learnFromFailure(failed)) this.#learned.fire();
  }

  /** Learns the window from a request that was too long; true if it is smaller than the known one. */
  learnFromFailure({ model, error }: FailedRequest): boolean {
    const window = error.code === "SERVICE_UNAVAILABLE" ? error.windowTokens : undefined;
    if (model === undefined || window === undefined) return false;
    if (window >= this.#registry.get(model).limits.contextWindow) return false;
    this.learnWindow(model, window);
    return true;
  }

  /**
   * Asks a server that may have been started anew for its windows: one that could not answer before, or that runs on this
   * machine, where it takes milliseconds. True if it answered. Call before a request: a conversation that was planned with
   * a larger window is refused.
   */
  async askIfRestarted(name: ProviderName): Promise<boolean> {
    if (!isServerName(name) || !(this.#away.has(name) || this.#isOnThisMachine(name))) return false;
    // A failure is told by the request that follows, once.
    const listed = await this.models(name, BACK_LIMIT_MS, true);
    if (listed?.ok !== true) return false;
    this.#away.delete(name);
    return true;
  }

  /** The server is reachable. */
  noteAnswered(name: ProviderName): void {
    if (isServerName(name)) this.#unreachableReasons.forget(name);
  }

  /** Discards what was learned, after a key or an address changed. */
  reset(): void {
    this.#providers.reset();
    this.#firstModels.reset();
    this.#away.clear();
    this.#withoutSummarizer.clear();
    this.#unreachableReasons.clear();
    this.#cutWindows.clear();
  }

  /**
   * Asks the provider for the limits of an unknown model and waits, because the fallback is far too small. If only the
   * output limit is a guess, or a listed model may be gone or back by now, asks without waiting.
   */
  async #withLimits(found: Connection): Promise<Connection> {
    const { providerName, model } = found;
    const { source, outputAssumed } = this.#registry.get(model);
    if (source === "fallback") {
      await this.#firstModels.ask(providerName);
      this.#restoreLimits(providerName, model);
    } else if (outputAssumed || (isServerName(providerName) && this.#listedModels.limitsOf(providerName, model))) {
      this.#firstModels.askInBackground(providerName);
    }
    const { seesImages } = this.#registry.abilitiesOf(model);
    return seesImages === undefined ? found : { ...found, seesImages };
  }

  /** Ollama is not asked: each request tells it which window to allocate. */
  #isOnThisMachine(name: ServerName): boolean {
    const address = this.#providers.addressOf(name);
    return name !== "ollama" && isOnThisMachine(address);
  }

  /** A model that its server lists no more, or not now, keeps the window that it had. */
  #restoreLimits(name: ProviderName, model: ModelId): void {
    if (!isServerName(name) || this.#registry.get(model).source !== "fallback") return;
    const limits = this.#listedModels.limitsOf(name, model);
    if (limits?.contextWindow === undefined) return;
    this.#registry.setLive(model, this.#cutWindows.correctedLimits(model, limits));
  }

  #reasonFor(name: ProviderName, { label }: Provider): string {
    const { provider, model } = this.#settings.current;
    if (model !== "") return localize("It is the model in the settings");
    if (provider !== "auto") return localize("Its provider is the one in the settings");
    return name === "anthropic" || name === "openai"
      ? localize("A key for {0} is stored", label)
      : localize("The server in the settings is {0}", label);
  }

  async #defaultModel(name: ProviderName): Promise<ModelId | undefined> {
    const configured = this.#settings.current.model;
    if (configured !== "" && name !== "offline") return modelId(configured);
    const builtin = DEFAULT_MODELS[name];
    if (builtin !== undefined) return modelId(builtin);
    return this.#firstModels.firstModelOf(name);
  }
}

/** Ollama does not tell how many requests it works on at a time: one, unless its user has set OLLAMA_NUM_PARALLEL. */
function isOneAtATime(name: ProviderName, model: ModelId): boolean {
  return name === "ollama" && !/[-:]cloud$/.test(model);
}

const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** True for the address of a server on this machine. */
export function isOnThisMachine(address: string): boolean {
  return URL.canParse(address) && LOOPBACK_HOSTS.includes(new URL(address).hostname);
}

/** True when the server may have been ended, or started anew. */
function isAway(error: ForgeError): boolean {
  return error.code === "SERVICE_UNAVAILABLE" && AWAY_REASONS.includes(error.reason);
}

const AWAY_REASONS: readonly string[] = ["unreachable", "cutOff", "stalled", "loading"];

/** Only the timeout cancels this request, so a cancellation means that the server stalled. */
function cancelledAsStalled(provider: ProviderName, error: ForgeError): ForgeError {
  return error.code === "CANCELLED" ? unavailable(provider, "stalled", "") : error;
}

function modelGone(label: string, model: ModelId): string {
  return localize(
    "{0} does not list the model {1} any more. Your messages are safe. Choose another model, or load this one there again.",
    label,
    modelName(model),
  );
}

function connection(providerName: ProviderName, provider: Provider, model: ModelId, why: string): Connection {
  return { providerName, provider, model, isLanguageModel: providerName !== "offline", why };
}
