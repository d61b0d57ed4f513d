/** Makes providers. An adapter, and the library behind it, is loaded when the first provider of its kind is made. */

import * as vscode from "vscode";
import type { Clock, Provider } from "../core/ports.ts";
import { guardedProvider } from "../core/stream/guardedProvider.ts";
import type { ProviderChoice } from "./settings.ts";

/** A provider that can be talked to. */
export type ProviderName = Exclude<ProviderChoice, "auto">;

/** The guarded provider for an address; `key` is absent where none is needed. */
export async function makeProvider(
  name: ProviderName,
  baseUrl: string,
  key: string | undefined,
  clock: Clock,
): Promise<Provider> {
  return guardedProvider(await rawProvider(name, baseUrl, key), clock);
}

async function rawProvider(name: ProviderName, baseUrl: string, key: string | undefined): Promise<Provider> {
  switch (name) {
    case "anthropic": {
      const { createAnthropicProvider } = await import("../adapters/anthropic/client.ts");
      return createAnthropicProvider({ apiKey: key ?? "", baseUrl });
    }
    case "openai":
    case "openaiCompatible": {
      const { createOpenAiProvider } = await import("../adapters/openai/client.ts");
      const label = name === "openai" ? "OpenAI" : new URL(baseUrl).host;
      return createOpenAiProvider({ name, label, baseUrl, ...(key === undefined ? {} : { apiKey: key }) });
    }
    case "editor": {
      const { createEditorProvider } = await import("../adapters/vscodeLm/client.ts");
      return createEditorProvider(vscode);
    }
    case "offline": {
      const { createOfflineProvider } = await import("../core/offline/offlineProvider.ts");
      return createOfflineProvider();
    }
  }
}
