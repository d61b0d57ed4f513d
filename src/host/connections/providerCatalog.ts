/** Providers by name: labels, automatic order, default models. */

import { modelId, type ModelId } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import type { ProviderChoice } from "../editor/settings.ts";

export type ProviderName = Exclude<ProviderChoice, "auto">;

/** Providers that accept a key. */
export type KeyedProvider = Extract<ProviderName, "anthropic" | "openai" | "openaiCompatible" | "ollama">;

export const PROVIDER_LABELS: Readonly<Record<ProviderName, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  openaiCompatible: localize("Your server"),
  ollama: "Ollama",
  editor: localize("The editor's models"),
  offline: localize("Offline"),
};

/** Order in which `auto` looks for a provider. */
export const AUTOMATIC_ORDER: readonly ProviderName[] = ["anthropic", "openai", "openaiCompatible", "ollama"];

/** Used when the user chose none. Never a model with an announced end of life. */
export const DEFAULT_MODELS: Partial<Record<ProviderName, string>> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.1-terra",
  offline: "offline",
};

/** As stored with a conversation. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: ModelId;
}

/** Text of a model in a setting, with its provider: "ollama:qwen3:4b". */
export function modelSetting({ provider, model }: ModelChoice): string {
  return `${provider}:${model}`;
}

/** A model in a setting; without a provider it is one of the conversation's. Empty: `undefined`. */
export function parseModelSetting(
  text: string,
): { readonly provider: ProviderName | undefined; readonly model: ModelId } | undefined {
  if (text === "") return undefined;
  const end = text.indexOf(":");
  const provider = text.slice(0, Math.max(0, end));
  const model = text.slice(end + 1).trim();
  return isProviderName(provider) && provider !== "offline" && model !== ""
    ? { provider, model: modelId(model) }
    : { provider: undefined, model: modelId(text) };
}

/** Whether this version knows a stored name. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDER_LABELS, name);
}

/** Validates a stored choice; `undefined` when it is none. */
export function parseChoice(value: unknown): ModelChoice | undefined {
  if (typeof value !== "object" || value === null || !("provider" in value) || !("model" in value)) return undefined;
  const { provider, model } = value;
  return typeof provider === "string" && typeof model === "string" ? { provider, model: modelId(model) } : undefined;
}
