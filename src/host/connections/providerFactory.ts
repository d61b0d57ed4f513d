/** Makes the providers. An adapter, and the library behind it, is loaded when the first provider of its kind is made. */

import * as vscode from "vscode";
import type { ContextCut } from "../../adapters/ollama/client.ts";
import type { Clock } from "../../core/clock.ts";
import type { ModelId } from "../../core/ids.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { FailedRequest } from "../../core/stream/failedRequest.ts";
import { guardedProvider } from "../../core/stream/guardedProvider.ts";
import type { Provider } from "../../core/stream/provider.ts";
import { Emitter } from "../background/emitter.ts";
import { editorFetch } from "../editor/editorFetch.ts";
import type { ProviderName } from "./providerCatalog.ts";

/** Which provider, where, as whom; `key` is absent where none is needed. */
export interface ProviderPlace {
  readonly name: ProviderName;
  readonly baseUrl: string;
  readonly key: string | undefined;
}

/** What a server holds for a model, as it said itself. */
export interface ToldWindow {
  readonly model: ModelId;
  readonly contextWindow: number;
}

/** Makes providers whose every stream has one end, and tells what their requests have met with. */
export class ProviderFactory {
  readonly #refused: RefusedParameters;
  readonly #clock: Clock;
  readonly #cut = new Emitter<ContextCut>();
  readonly #windowTold = new Emitter<ToldWindow>();
  readonly #failed = new Emitter<FailedRequest>();
  readonly #answered = new Emitter<ProviderName>();

  /** Fires when a server has cut the conversation. */
  readonly onDidCut = this.#cut.event;
  /** Fires when a server has told how much it holds for a model. */
  readonly onDidTellWindow = this.#windowTold.event;
  /** Fires at each attempt that failed, also of one that is made again. */
  readonly onDidFail = this.#failed.event;
  /** Fires when an answer has come to its end. */
  readonly onDidAnswer = this.#answered.event;

  constructor(refused: RefusedParameters, clock: Clock) {
    this.#refused = refused;
    this.#clock = clock;
  }

  /** The provider of a place. */
  async make(place: ProviderPlace): Promise<Provider> {
    return guardedProvider(await this.#unguarded(place), this.#clock, {
      onFailed: (failed) => {
        this.#failed.fire(failed);
      },
      onAnswered: () => {
        this.#answered.fire(place.name);
      },
    });
  }

  async #unguarded({ name, baseUrl, key }: ProviderPlace): Promise<Provider> {
    const common = { baseUrl, refused: this.#refused, fetch: editorFetch };
    const withKey = key === undefined ? common : { ...common, apiKey: key };
    switch (name) {
      case "anthropic": {
        const { createAnthropicProvider } = await import("../../adapters/anthropic/client.ts");
        return createAnthropicProvider({ ...common, apiKey: key ?? "" });
      }
      case "openai":
      case "openaiCompatible": {
        const { createOpenAiProvider } = await import("../../adapters/openai/client.ts");
        const label = name === "openai" ? "OpenAI" : new URL(baseUrl).host;
        const onWindow = (model: ModelId, contextWindow: number): void => {
          this.#windowTold.fire({ model, contextWindow });
        };
        return createOpenAiProvider({ name, label, onWindow, ...withKey });
      }
      case "ollama": {
        const { createOllamaProvider } = await import("../../adapters/ollama/client.ts");
        const onCut = (cut: ContextCut): void => {
          this.#cut.fire(cut);
        };
        return createOllamaProvider({ onCut, ...withKey });
      }
      case "editor": {
        const { createEditorProvider } = await import("../../adapters/vscodeLm/client.ts");
        return createEditorProvider(vscode);
      }
      case "offline": {
        const { createOfflineProvider } = await import("../../core/offline/offlineProvider.ts");
        return createOfflineProvider();
      }
    }
  }
}
