/** Makes the providers when they are first needed and keeps them until a key or an address changes. */

import type { Provider } from "../../core/stream/provider.ts";
import type { ProviderPlace } from "./makeProvider.ts";
import type { KeyedProvider, ProviderName } from "./providerCatalog.ts";
import type { Secrets } from "../editor/secrets.ts";
import { USUAL_OLLAMA_URL, type Settings } from "../editor/settings.ts";

/** What providers are made from. */
export interface ProvidersOptions {
  readonly make: (place: ProviderPlace) => Promise<Provider>;
  readonly secrets: Pick<Secrets, "keyFor">;
  readonly settings: () => Settings;
  /** How many models the editor itself offers now. */
  readonly countEditorModels: () => Promise<number>;
  /** Puts around a provider what every request passes: the user's wishes, what it may cost. */
  readonly around: (provider: Provider, place: ProviderPlace) => Provider;
}

/** The providers of this window. */
export class Providers {
  readonly #options: ProvidersOptions;
  readonly #made = new Map<string, Promise<Provider>>();
  #editorModels = 0;

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  /** The provider, or `undefined` when what it needs (a key, an address, editor models) is not there. */
  async get(name: ProviderName): Promise<Provider | undefined> {
    const { secrets } = this.#options;
    const baseUrl = this.addressOf(name);
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

  /** The offline mode, which is always there. */
  offline(): Promise<Provider> {
    return this.#make("offline", "", undefined);
  }

  /** Whether the user has set it up, so that it may be taken without being asked for by name. */
  isSetUp(name: ProviderName): boolean {
    return name !== "ollama" || this.addressOf(name) !== USUAL_OLLAMA_URL;
  }

  /** Where a provider is; empty where it is nowhere, or needs no place. */
  addressOf(name: ProviderName): string {
    const { anthropicBaseUrl, openaiBaseUrl, compatibleBaseUrl, ollamaBaseUrl } = this.#options.settings();
    switch (name) {
      case "anthropic":
        return anthropicBaseUrl;
      case "openai":
        return openaiBaseUrl;
      case "openaiCompatible":
        return compatibleBaseUrl;
      case "ollama":
        return ollamaBaseUrl;
      case "editor":
      case "offline":
        return "";
    }
  }

  /** A provider for a key that is not kept yet, to test it. */
  candidate(name: KeyedProvider, baseUrl: string, key: string | undefined): Promise<Provider> {
    return this.#options.make({ name, baseUrl, key });
  }

  /** How many models the editor itself offered when it was last asked. */
  get editorModels(): number {
    return this.#editorModels;
  }

  /** Asks the editor how many models it offers; 0 where it has none. Asks the user for nothing. */
  async countEditorModels(): Promise<number> {
    this.#editorModels = await this.#options.countEditorModels();
    return this.#editorModels;
  }

  /** Forgets the providers made, after a key or an address changed. */
  reset(): void {
    this.#made.clear();
  }

  #make(name: ProviderName, baseUrl: string, key: string | undefined): Promise<Provider> {
    const place = { name, baseUrl, key };
    const identity = JSON.stringify(place);
    const { make, around } = this.#options;
    const made = this.#made.get(identity) ?? make(place).then((provider) => around(provider, place));
    this.#made.set(identity, made);
    return made;
  }
}
