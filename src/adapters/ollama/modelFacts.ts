/** Facts about Ollama's models: context lengths, possible and allocated, and capabilities. */

import { countIn, listIn, member, stringField } from "../../core/json.ts";
import { sendRequest, type OllamaAddress } from "./ollamaServer.ts";

/** From `/api/show`. Absent when not reported, as by older servers. */
export interface ModelFacts {
  /** Maximum in tokens. */
  readonly contextLength?: number;
  /** `num_ctx` as set by the model's maker or in the user's Modelfile. */
  readonly configuredContext?: number;
  /** `completion`, `tools`, `thinking`, `vision`, `embedding`. */
  readonly capabilities?: ReadonlySet<string>;
  /** Names of reasoning efforts, when the model has them. */
  readonly thinkingLevels?: readonly string[];
}

/** Empty when the server does not report facts. */
export async function fetchModelFacts(address: OllamaAddress, model: string, signal: AbortSignal): Promise<ModelFacts> {
  const told = await readJson(address, "/api/show", { body: { model }, signal });
  const info = member(told, "model_info");
  const entries = typeof info === "object" && info !== null ? Object.entries(info) : [];
  const [name] = entries.find(([key]) => key.endsWith(".context_length")) ?? [];
  const contextLength = name === undefined ? 0 : countIn(info, name);
  const configuredContext = Number(/^[ \t]*num_ctx[ \t]+(\d+)[ \t]*$/m.exec(stringField(told, "parameters"))?.[1] ?? 0);
  const capabilities = listIn(told, "capabilities").filter((capability) => typeof capability === "string");
  const levels = listIn(member(told, "thinking"), "values").filter((level) => typeof level === "string");
  return {
    ...(contextLength > 0 ? { contextLength } : {}),
    ...(configuredContext > 0 ? { configuredContext } : {}),
    ...(capabilities.length > 0 ? { capabilities: new Set(capabilities) } : {}),
    ...(levels.length > 0 ? { thinkingLevels: levels } : {}),
  };
}

/** Allocated tokens by model; only for models in memory. */
export async function fetchAllocatedContexts(
  address: OllamaAddress,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const told = await readJson(address, "/api/ps", { signal });
  return new Map(
    listIn(told, "models").flatMap((model) => {
      const context = countIn(model, "context_length");
      return context > 0 ? [[stringField(model, "name"), context] as const] : [];
    }),
  );
}

/**
 * True if the model is in memory with this context; else it is loaded before it reads. True as well when the server does
 * not tell in time.
 */
export async function isInMemory(
  address: OllamaAddress,
  model: string,
  contextTokens: number,
  signal: AbortSignal,
): Promise<boolean> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  const rows = member(await readJson(address, "/api/ps", { signal: inTime }), "models");
  if (!Array.isArray(rows)) return true;
  const row: unknown = rows.find((each) => [model, `${model}:latest`].includes(stringField(each, "name")));
  const context = countIn(row, "context_length");
  return row !== undefined && (context === 0 || context === contextTokens);
}

/** It holds up a message. */
const LOOK_MS = 300;

/** Default limit of what is allocated: each token costs memory, used or not. */
const DEFAULT_CONTEXT_TOKENS = 32_768;

/** Context window to plan with; `undefined` when nothing is known. */
export function plannedWindow(facts: ModelFacts, allocated: number | undefined): number | undefined {
  const { contextLength, configuredContext } = facts;
  if (configuredContext !== undefined) return Math.min(configuredContext, contextLength ?? configuredContext);
  if (contextLength === undefined) return allocated;
  return Math.min(contextLength, Math.max(DEFAULT_CONTEXT_TOKENS, allocated ?? 0));
}

/** `undefined` when the server does not know the path, or is slow. */
async function readJson(
  address: OllamaAddress,
  path: "/api/show" | "/api/ps",
  { body, signal }: { readonly body?: unknown; readonly signal: AbortSignal },
): Promise<unknown> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(3_000)]);
  return sendRequest(address, path, { signal: inTime, ...(body === undefined ? {} : { body }) })
    .then((response): Promise<unknown> => response.json())
    .catch(() => undefined);
}
