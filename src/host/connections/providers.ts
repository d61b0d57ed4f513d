/** Providers of this window: created when first needed, and cached until a key or an address changes. */

import type { Provider } from "../../core/stream/provider.ts";
import type { KeyedProvider, ProviderName } from "./providerCatalog.ts";
import type { Secrets } from "../editor/secrets.ts";
import { ADDRESSED_PROVIDERS, DEFAULT_OLLAMA_URL, type AddressedProvider } from "../editor/settings.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import type { GenerationOptions } from "../../core/models/generationOptions.ts";
import type { ActiveConversation } from "./activeConversation.ts";
import type { ProviderFactory, ProviderEndpoint } from "./providerFactory.ts";
import type { SpendingTracker } from "./spendingTracker.ts";
import { generationOptionsOf, withGenerationOptions } from "./generationOptions.ts";

/** `invalid`: the setting is no address. `unencrypted`: a key would leave this machine as it is, without consent. */
export type AddressProblem = "invalid" | "unencrypted";

/** Used part of `vscode.lm`. */
interface EditorModels {
  selectChatModels(): Thenable<readonly unknown[]>;
}

export class Providers {
  readonly #factory: Pick<ProviderFactory, "make">;
  readonly #spending: Pick<SpendingTracker, "withMetering">;
  readonly #active: ActiveConversation;
  readonly #secrets: Pick<Secrets, "keyFor" | "maySendTo">;
  readonly #settings: CurrentSettings;
  readonly #editorModels: EditorModels;
  readonly #made = new Map<string, Promise<Provider>>();
  #editorModelCount = 0;

  constructor(
    factory: Pick<ProviderFactory, "make">,
    spending: Pick<SpendingTracker, "withMetering">,
    active: ActiveConversation,
    secrets: Pick<Secrets, "keyFor" | "maySendTo">,
    settings: CurrentSettings,
    editorModels: EditorModels,
  ) {
    this.#factory = factory;
    this.#spending = spending;
    this.#active = active;
    this.#secrets = secrets;
    this.#settings = settings;
    this.#editorModels = editorModels;
  }

  /** `undefined` when the key, address or editor models that the provider needs are missing. */
  async get(name: ProviderName): Promise<Provider | undefined> {
    const secrets = this.#secrets;
    const baseUrl = this.addressOf(name);
    if (isAddressed(name) && (await this.#problemOf(name)) !== undefined) return undefined;
    switch (name) {
      case "anthropic":
      case "openai": {
        const key = await secrets.keyFor(baseUrl);
        return key === undefined ? undefined : this.#make(name, baseUrl, key);
      }
      case "openaiCompatible":
      case "ollama":
        return baseUrl === "" ? undefined : this.#make(name, baseUrl, await secrets.keyFor(baseUrl));
      case "editor":
        return (await this.countEditorModels()) === 0 ? undefined : this.#make(name, "", undefined);
      case "offline":
        return this.#make(name, "", undefined);
    }
  }

  /** Always available. */
  offline(): Promise<Provider> {
    return this.#make("offline", "", undefined);
  }

  /** Whether the user has set it up, so that `auto` may choose it. */
  isSetUp(name: ProviderName): boolean {
    return name !== "ollama" || this.addressOf(name) !== DEFAULT_OLLAMA_URL;
  }

  /** Empty when none is set, none is needed, or the setting is no address. */
  addressOf(name: ProviderName): string {
    return isAddressed(name) ? this.#settings.current.addresses[name] : "";
  }

  /** Addresses that must not be used as they are. */
  async addressProblems(): Promise<ReadonlyMap<ProviderName, AddressProblem>> {
    const problems = new Map<ProviderName, AddressProblem>();
    for (const name of ADDRESSED_PROVIDERS) {
      const problem = await this.#problemOf(name);
      if (problem !== undefined) problems.set(name, problem);
    }
    return problems;
  }

  async #problemOf(name: AddressedProvider): Promise<AddressProblem | undefined> {
    const { addresses, invalidAddresses } = this.#settings.current;
    if (invalidAddresses.includes(name)) return "invalid";
    const baseUrl = addresses[name];
    if (baseUrl === "" || (await this.#secrets.keyFor(baseUrl)) === undefined) return undefined;
    return (await this.#secrets.maySendTo(baseUrl)) ? undefined : "unencrypted";
  }

  /** Provider for testing a key that is not saved yet. */
  candidate(name: KeyedProvider, baseUrl: string, key: string | undefined): Promise<Provider> {
    return this.#factory.make({ name, baseUrl, key });
  }

  /** Result of the last {@link Providers.countEditorModels}. */
  get editorModels(): number {
    return this.#editorModelCount;
  }

  /** 0 when the editor has none. Does not ask the user for consent. */
  async countEditorModels(): Promise<number> {
    this.#editorModelCount = (await this.#editorModels.selectChatModels()).length;
    return this.#editorModelCount;
  }

  /** Forgets created providers, after a key or an address changed. */
  reset(): void {
    this.#made.clear();
  }

  #make(name: ProviderName, baseUrl: string, key: string | undefined): Promise<Provider> {
    const place = { name, baseUrl, key };
    const identity = JSON.stringify(place);
    const made = this.#made.get(identity) ?? this.#createForConversations(place);
    this.#made.set(identity, made);
    return made;
  }

  /** Adds the spending limits and the user's generation options. */
  async #createForConversations(place: ProviderEndpoint): Promise<Provider> {
    const provider = await this.#factory.make(place);
    return withGenerationOptions(this.#spending.withMetering(provider, place), () => this.#generationOptions());
  }

  #generationOptions(): GenerationOptions {
    const { session } = this.#active;
    const settings = this.#settings.current;
    return session === undefined
      ? settings.generationOptions
      : generationOptionsOf(session.opened.conversation.history, settings);
  }
}

function isAddressed(name: ProviderName): name is AddressedProvider {
  return ADDRESSED_PROVIDERS.some((addressed) => addressed === name);
}
