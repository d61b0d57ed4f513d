/**
 * Which service answers. Knows the providers, makes them when they are first needed, and picks one: what the conversation
 * chose, else what the user set, else what is there, else the offline mode, which says that it is no language model.
 */

import * as vscode from "vscode";
import type { ForgeError } from "../core/errors.ts";
import type { Clock, OfferedModel, Provider } from "../core/ports.ts";
import { modelId, type ModelId } from "../core/ids.ts";
import type { ModelRegistry } from "../core/models/modelRegistry.ts";
import type { Result } from "../core/result.ts";
import type { Secrets } from "./secrets.ts";
import { makeProvider, type ProviderName } from "./makeProvider.ts";
import type { Settings } from "./settings.ts";

/** Who answers with which model. */
export interface Connection {
  readonly providerName: ProviderName;
  /** Guarded: every stream of it ends with one end. */
  readonly provider: Provider;
  readonly model: ModelId;
  /** False for the offline mode. */
  readonly isLanguageModel: boolean;
}

/** A choice of provider and model, as a conversation records it. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: ModelId;
}

/** In this order `auto` looks for something that can answer. */
const AUTOMATIC: readonly ProviderName[] = ["anthropic", "openai", "openaiCompatible"];

/** Models that are used when the user named none. No name with an announced end is ever a default. */
const DEFAULT_MODELS: Partial<Record<ProviderName, string>> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.1-terra",
  offline: "offline",
};

/** The offline mode has no window; this one lets a conversation grow as it would with a common model. */
const OFFLINE_LIMITS = { contextWindow: 200_000, maxOutput: 64_000 };

/** How long a list of models may take before the picker does without it. */
const LIST_LIMIT_MS = 10_000;
/** The same while a conversation is being opened, when nobody has asked for a list. */
const QUIET_LIST_LIMIT_MS = 3_000;

/** What connections are made from. */
export interface ConnectionsOptions {
  readonly secrets: Secrets;
  readonly registry: ModelRegistry;
  readonly clock: Clock;
  readonly settings: () => Settings;
  readonly lastChoice: LastChoice;
  /** A provider is being asked for limits that nobody waits for; when it has answered, the registry knows them. */
  readonly asking: (asked: Promise<unknown>) => void;
}

/** The model that the user picked last in any conversation; new ones begin with it. A convenience that may be lost. */
export interface LastChoice {
  get(): unknown;
  set(choice: ModelChoice): void;
}

/** Makes and keeps the providers. */
export class Connections {
  readonly #secrets: Secrets;
  readonly #registry: ModelRegistry;
  readonly #clock: Clock;
  readonly #settings: () => Settings;
  readonly #lastChoice: LastChoice;
  readonly #made = new Map<string, Promise<Provider>>();
  readonly #firstModel = new Map<ProviderName, ModelId>();
  /** Providers that were asked for their models' limits by themselves. */
  readonly #asked = new Set<ProviderName>();
  readonly #asking: (asked: Promise<unknown>) => void;
  #editorModels = 0;

  constructor(options: ConnectionsOptions) {
    this.#secrets = options.secrets;
    this.#registry = options.registry;
    this.#clock = options.clock;
    this.#settings = options.settings;
    this.#lastChoice = options.lastChoice;
    this.#asking = options.asking;
    this.#registry.setLive(modelId("offline"), OFFLINE_LIMITS);
  }

  /**
   * Picks who answers: `chosen` where that can be had, else by the settings. `lastModel` answered in this conversation
   * before; it goes on where a server that does not answer now can not say what it has. Never fails: offline is always there.
   */
  async resolve(chosen: ModelChoice | undefined, lastModel?: ModelId): Promise<Connection> {
    const settings = this.#settings();
    const isLeftToForge = settings.provider === "auto" && settings.model === "";
    const choice = chosen ?? (isLeftToForge ? readChoice(this.#lastChoice.get()) : undefined);
    if (choice !== undefined && isProviderName(choice.provider)) {
      const provider = await this.provider(choice.provider);
      if (provider !== undefined) return this.#withLimits(this.#connection(choice.provider, provider, choice.model));
    }
    const wanted = settings.provider === "auto" ? AUTOMATIC : [settings.provider];
    for (const name of wanted) {
      const connection = await this.connect(name, lastModel);
      if (connection !== undefined) return connection;
    }
    const offline = await this.#make("offline", "", undefined);
    return this.#connection("offline", offline, modelId("offline"));
  }

  /** The provider with its default model, or else `lastModel`; `undefined` when it, or a model of it, is not there. */
  async connect(name: ProviderName, lastModel?: ModelId): Promise<Connection | undefined> {
    const provider = await this.provider(name);
    const model = provider === undefined ? undefined : ((await this.#defaultModel(name)) ?? lastModel);
    if (provider === undefined || model === undefined) return undefined;
    return this.#withLimits(this.#connection(name, provider, model));
  }

  /** The user has picked this one: new conversations begin with it, unless a setting names another. */
  remember({ providerName, model }: Connection): void {
    this.#lastChoice.set({ provider: providerName, model });
  }

  /** Which model writes summaries for a conversation that `main` answers: the user's choice, else the provider's small one. */
  summarizerModel(main: Connection): ModelId {
    const configured = this.#settings().summarizationModel;
    if (configured !== "") return modelId(configured);
    return this.#registry.smallModelOf(main.providerName) ?? main.model;
  }

  /** The provider, or `undefined` when what it needs (a key, an address, editor models) is not there. */
  async provider(name: ProviderName): Promise<Provider | undefined> {
    const settings = this.#settings();
    switch (name) {
      case "anthropic":
      case "openai": {
        const baseUrl = name === "anthropic" ? settings.anthropicBaseUrl : settings.openaiBaseUrl;
        const key = await this.#secrets.keyFor(baseUrl);
        return key === undefined ? undefined : this.#make(name, baseUrl, key);
      }
      case "openaiCompatible": {
        const baseUrl = settings.compatibleBaseUrl;
        return baseUrl === "" ? undefined : this.#make(name, baseUrl, await this.#secrets.keyFor(baseUrl));
      }
      case "editor":
        return (await this.countEditorModels()) === 0 ? undefined : this.#make(name, "", undefined);
      case "offline":
        return this.#make(name, "", undefined);
    }
  }

  /** A provider for a key that is not kept yet, to test it. */
  candidate(
    name: "anthropic" | "openai" | "openaiCompatible",
    baseUrl: string,
    key: string | undefined,
  ): Promise<Provider> {
    return makeProvider(name, baseUrl, key, this.#clock);
  }

  /**
   * Models on offer, best first, and what they say of their limits goes to the registry; or why the list can not be had.
   * `undefined` when the provider is not set up.
   */
  async models(
    name: ProviderName,
    limitMs = LIST_LIMIT_MS,
  ): Promise<Result<readonly OfferedModel[], ForgeError> | undefined> {
    const provider = await this.provider(name);
    if (provider === undefined) return undefined;
    const listed = await provider.listModels(AbortSignal.timeout(limitMs));
    for (const model of listed.ok ? listed.value : []) {
      if (model.limits !== undefined) this.#registry.setLive(model.id, model.limits);
    }
    return listed;
  }

  /** How many models the editor itself offered when it was last asked. */
  get editorModels(): number {
    return this.#editorModels;
  }

  /** Asks the editor how many models it offers; 0 where it has none. Asks the user for nothing. */
  async countEditorModels(): Promise<number> {
    this.#editorModels = (await vscode.lm.selectChatModels()).length;
    return this.#editorModels;
  }

  /** Forgets the providers made, after a key or an address changed. */
  reset(): void {
    this.#made.clear();
    this.#firstModel.clear();
    this.#asked.clear();
  }

  /**
   * Asks the provider for the limits of a model of which nobody else knows any: the guess would be far too small. Where
   * only the longest answer is a guess, nobody has to wait for the better figure.
   */
  async #withLimits(connection: Connection): Promise<Connection> {
    const { providerName, model } = connection;
    const { source, outputAssumed } = this.#registry.get(model);
    if (source === "fallback") {
      await this.models(providerName, QUIET_LIST_LIMIT_MS);
    } else if (outputAssumed && !this.#asked.has(providerName)) {
      this.#asked.add(providerName);
      this.#asking(this.models(providerName));
    }
    return connection;
  }

  #connection(providerName: ProviderName, provider: Provider, model: ModelId): Connection {
    return { providerName, provider, model, isLanguageModel: providerName !== "offline" };
  }

  async #defaultModel(name: ProviderName): Promise<ModelId | undefined> {
    const configured = this.#settings().model;
    if (configured !== "" && name !== "offline") return modelId(configured);
    const builtin = DEFAULT_MODELS[name];
    if (builtin !== undefined) return modelId(builtin);
    const known = this.#firstModel.get(name);
    if (known !== undefined) return known;
    const listed = await this.models(name, QUIET_LIST_LIMIT_MS);
    const first = listed?.ok === true ? listed.value[0] : undefined;
    if (first !== undefined) this.#firstModel.set(name, first.id);
    return first?.id;
  }

  #make(name: ProviderName, baseUrl: string, key: string | undefined): Promise<Provider> {
    const identity = JSON.stringify([name, baseUrl, key]);
    const made = this.#made.get(identity) ?? makeProvider(name, baseUrl, key, this.#clock);
    this.#made.set(identity, made);
    return made;
  }
}

function isProviderName(name: string): name is ProviderName {
  return ["anthropic", "openai", "openaiCompatible", "editor", "offline"].includes(name);
}

function readChoice(value: unknown): ModelChoice | undefined {
  if (typeof value !== "object" || value === null || !("provider" in value) || !("model" in value)) return undefined;
  const { provider, model } = value;
  return typeof provider === "string" && typeof model === "string" ? { provider, model: modelId(model) } : undefined;
}
