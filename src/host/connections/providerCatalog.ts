/** The providers by name: what each is called, which one is taken by itself, and which model is used when none is named. */

import { modelId, type ModelId } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import type { ProviderChoice } from "../editor/settings.ts";

/** A provider that can be talked to. */
export type ProviderName = Exclude<ProviderChoice, "auto">;

/** A provider for which a key can be entered. */
export type KeyedProvider = Extract<ProviderName, "anthropic" | "openai" | "openaiCompatible" | "ollama">;

/** What each is called in lists. */
export const PROVIDER_LABELS: Readonly<Record<ProviderName, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  openaiCompatible: localize("Your server"),
  ollama: "Ollama",
  editor: localize("The editor's models"),
  offline: localize("Offline"),
};

/** In this order `auto` looks for something that can answer. */
export const AUTOMATIC: readonly ProviderName[] = ["anthropic", "openai", "openaiCompatible", "ollama"];

/** Models that are used when the user named none. No name with an announced end is ever a default. */
export const DEFAULT_MODELS: Partial<Record<ProviderName, string>> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.1-terra",
  offline: "offline",
};

/** A choice of provider and model, as a conversation records it. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: ModelId;
}

/** Whether a stored name is that of a provider of this version. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDER_LABELS, name);
}

/** Reads a choice that lay in the editor's storage; `undefined` where it is none. */
export function readChoice(value: unknown): ModelChoice | undefined {
  if (typeof value !== "object" || value === null || !("provider" in value) || !("model" in value)) return undefined;
  const { provider, model } = value;
  return typeof provider === "string" && typeof model === "string" ? { provider, model: modelId(model) } : undefined;
}
