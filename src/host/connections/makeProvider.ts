/** Makes providers. An adapter, and the library behind it, is loaded when the first provider of its kind is made. */

import * as vscode from "vscode";
import type { ContextCut } from "../../adapters/ollama/client.ts";
import type { ModelId } from "../../core/ids.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { Clock } from "../../core/clock.ts";
import type { Provider } from "../../core/stream/provider.ts";
import type { FailedRequest } from "../../core/stream/failedRequest.ts";
import { guardedProvider } from "../../core/stream/guardedProvider.ts";
import { editorFetch } from "../editor/editorFetch.ts";
import type { ProviderName } from "./providerCatalog.ts";

/** Which provider, where, as whom; `key` is absent where none is needed. */
export interface ProviderPlace {
  readonly name: ProviderName;
  readonly baseUrl: string;
  readonly key: string | undefined;
}

/** What all providers share. */
export interface ProviderParts {
  readonly clock: Clock;
  /** Parameters that models have refused. */
  readonly refused: RefusedParameters;
  /** A server has cut the conversation. */
  readonly onCut: (cut: ContextCut) => void;
  /** A server has told how much it holds for a model. */
  readonly onWindow: (model: ModelId, contextWindow: number) => void;
  /** A request has failed. */
  readonly noteFailed: (failed: FailedRequest) => void;
  /** An answer has come to its end. */
  readonly noteAnswered: () => void;
}

/** The guarded provider of a place. */
export async function makeProvider(place: ProviderPlace, parts: ProviderParts): Promise<Provider> {
  const { clock, noteFailed, noteAnswered } = parts;
  return guardedProvider(await rawProvider(place, parts), clock, { noteFailed, noteAnswered });
}

async function rawProvider(
  { name, baseUrl, key }: ProviderPlace,
  { refused, onCut, onWindow }: ProviderParts,
): Promise<Provider> {
  const common = { baseUrl, refused, fetch: editorFetch };
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
      return createOpenAiProvider({ name, label, onWindow, ...withKey });
    }
    case "ollama": {
      const { createOllamaProvider } = await import("../../adapters/ollama/client.ts");
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
