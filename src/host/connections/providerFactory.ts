/** Creates providers. An adapter and its library are loaded when the first provider of that kind is created. */

import * as vscode from "vscode";
import type { ContextCut } from "../../adapters/ollama/client.ts";
import type { Clock } from "../../core/clock.ts";
import type { ModelId } from "../../core/ids.ts";
import type { RequestSpeed } from "../../core/models/modelSpeeds.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { FailedRequest } from "../../core/stream/failedRequest.ts";
import { DEFAULT_GUARD_LIMITS, guardedProvider, type GuardLimits } from "../../core/stream/guardedProvider.ts";
import type { Provider } from "../../core/stream/provider.ts";
import { Emitter } from "../background/emitter.ts";
import { editorFetch } from "../editor/editorFetch.ts";
import type { ProviderName } from "./providerCatalog.ts";

/** `key` is absent when none is needed. */
export interface ProviderEndpoint {
  readonly name: ProviderName;
  readonly baseUrl: string;
  readonly key: string | undefined;
}

/** Context window as reported by a server, in tokens. */
export interface ReportedWindow {
  readonly model: ModelId;
  readonly contextWindow: number;
}

export interface MeasuredModel {
  readonly model: ModelId;
  readonly speed: RequestSpeed;
}

/** Creates guarded providers, and fires events about their requests. */
export class ProviderFactory {
  readonly #refused: RefusedParameters;
  readonly #clock: Clock;
  readonly #waits: () => Pick<GuardLimits, "firstByteMs" | "noBytesMs">;
  readonly #cut = new Emitter<ContextCut>();
  readonly #windowReported = new Emitter<ReportedWindow>();
  readonly #measured = new Emitter<MeasuredModel>();
  readonly #failed = new Emitter<FailedRequest>();
  readonly #answered = new Emitter<ProviderName>();

  /** Fires when a server has cut the conversation. */
  readonly onDidCut = this.#cut.event;
  readonly onDidReportWindow = this.#windowReported.event;
  /** Fires when a server on the user's machines reports how fast a model was. */
  readonly onDidMeasure = this.#measured.event;
  /** Fires at each failed attempt, even if it is retried. */
  readonly onDidFail = this.#failed.event;
  /** Fires when an answer is complete. */
  readonly onDidAnswer = this.#answered.event;

  constructor(
    refused: RefusedParameters,
    clock: Clock,
    waits: () => Pick<GuardLimits, "firstByteMs" | "noBytesMs"> = () => DEFAULT_GUARD_LIMITS,
  ) {
    this.#refused = refused;
    this.#clock = clock;
    this.#waits = waits;
  }

  async make(place: ProviderEndpoint): Promise<Provider> {
    return guardedProvider(await this.#unguarded(place), this.#clock, {
      waits: this.#waits,
      onFailed: (failed) => {
        this.#failed.fire(failed);
      },
      onAnswered: () => {
        this.#answered.fire(place.name);
      },
    });
  }

  async #unguarded({ name, baseUrl, key }: ProviderEndpoint): Promise<Provider> {
    const onSpeed = (model: ModelId, speed: RequestSpeed): void => {
      this.#measured.fire({ model, speed });
    };
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
          this.#windowReported.fire({ model, contextWindow });
        };
        return createOpenAiProvider({ name, label, onWindow, onSpeed, ...withKey });
      }
      case "ollama": {
        const { createOllamaProvider } = await import("../../adapters/ollama/client.ts");
        const onCut = (cut: ContextCut): void => {
          this.#cut.fire(cut);
        };
        return createOllamaProvider({ onCut, onSpeed, ...withKey });
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
