/** What Ollama knows of its models: how much they can hold, how much is set aside for them, and what they can do. */

import { countIn, listIn, member, stringField } from "../../core/json.ts";
import { ask, type OllamaAddress } from "./ollamaServer.ts";

/** One model, as `/api/show` tells it. Absent: not told, as by older servers. */
export interface ModelFacts {
  /** The most that the model can hold. */
  readonly contextLength?: number;
  /** What its maker, or the user in a Modelfile, has set. */
  readonly ownContext?: number;
  /** `completion`, `tools`, `thinking`, `vision`, `embedding`. */
  readonly capabilities?: ReadonlySet<string>;
  /** Words for how much to think, where it knows such words. */
  readonly thinkingLevels?: readonly string[];
}

/** Asks for a model's facts; none are known where the server does not tell them. */
export async function showModel(address: OllamaAddress, model: string, signal: AbortSignal): Promise<ModelFacts> {
  const told = await readJson(address, "/api/show", { body: { model }, signal });
  const info = member(told, "model_info");
  const entries = typeof info === "object" && info !== null ? Object.entries(info) : [];
  const [name] = entries.find(([key]) => key.endsWith(".context_length")) ?? [];
  const contextLength = name === undefined ? 0 : countIn(info, name);
  const ownContext = Number(/^[ \t]*num_ctx[ \t]+(\d+)[ \t]*$/m.exec(stringField(told, "parameters"))?.[1] ?? 0);
  const capabilities = listIn(told, "capabilities").filter((capability) => typeof capability === "string");
  const levels = listIn(member(told, "thinking"), "values").filter((level) => typeof level === "string");
  return {
    ...(contextLength > 0 ? { contextLength } : {}),
    ...(ownContext > 0 ? { ownContext } : {}),
    ...(capabilities.length > 0 ? { capabilities: new Set(capabilities) } : {}),
    ...(levels.length > 0 ? { thinkingLevels: levels } : {}),
  };
}

/** Tokens that are set aside now, by model; only of those that are in memory. */
export async function allocatedContexts(
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

/** Without a word of anybody's, no more than this is set aside: every token of it costs memory, used or not. */
const USUAL_CONTEXT = 32_768;

/** The window to plan with; `undefined` where nothing is known of it. */
export function windowOf(facts: ModelFacts, allocated: number | undefined): number | undefined {
  const { contextLength, ownContext } = facts;
  if (ownContext !== undefined) return Math.min(ownContext, contextLength ?? ownContext);
  if (contextLength === undefined) return allocated;
  return Math.min(contextLength, Math.max(USUAL_CONTEXT, allocated ?? 0));
}

/** A server that does not know the path, or is slow, tells nothing. */
async function readJson(
  address: OllamaAddress,
  path: "/api/show" | "/api/ps",
  { body, signal }: { readonly body?: unknown; readonly signal: AbortSignal },
): Promise<unknown> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(3_000)]);
  return ask(address, path, { signal: inTime, ...(body === undefined ? {} : { body }) })
    .then((response): Promise<unknown> => response.json())
    .catch(() => undefined);
}
