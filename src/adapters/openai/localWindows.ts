/**
 * LM Studio and llama.cpp report the context window outside the standard API. LM Studio allocates one only when it
 * loads a model, and seldom the largest possible: until then it is unknown.
 */

import type { ModelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { countIn, listIn, member, stringField } from "../../core/json.ts";
import { canChat, offeredModel } from "../http/listedModels.ts";
import { apiAddress, isolatedFetch, type OpenAiSettings } from "./openAiClient.ts";

/** For models that are not loaded: the same as for an unknown model. */
const UNLOADED_TOKENS = 8_192;

/** Windows of a local server; remembered as long as the provider lives. */
export class LocalWindows {
  readonly #settings: OpenAiSettings;
  /** Models whose window is a guess. */
  readonly #guessed = new Set<string>();
  /** Tokens allocated when each model was loaded last. */
  readonly #loaded = new Map<string, number>();

  constructor(settings: OpenAiSettings) {
    this.#settings = settings;
  }

  /** Adds the windows. Asks only servers without TLS, which are the local ones. */
  async withWindows(models: readonly OfferedModel[], signal: AbortSignal): Promise<readonly OfferedModel[]> {
    if (new URL(apiAddress(this.#settings)).protocol !== "http:" || models.length === 0) return models;
    const [rows, llama] = await Promise.all([this.#studioRows(signal), this.#read("/props", signal)]);
    const served = countIn(member(llama, "default_generation_settings"), "n_ctx");
    return models.flatMap((model) => {
      const row = rows.get(model.id);
      if (row?.canChat === false) return [];
      if (row !== undefined) return offeredModel(model.id, this.#limitsOf(model.id, row), row.callsTools);
      return offeredModel(model.id, served > 0 ? { contextWindow: served } : {}, model.callsTools);
    });
  }

  /** Requests the window of a model that was a guess: it has just answered, so it is loaded. Failures are ignored. */
  async learn(model: ModelId): Promise<void> {
    if (!this.#guessed.has(model)) return;
    const row = (await this.#studioRows(AbortSignal.timeout(2_000))).get(model);
    if (row === undefined || row.loadedTokens === 0) return;
    const { contextWindow } = this.#limitsOf(model, row);
    if (contextWindow !== undefined) this.#settings.onWindow?.(model, contextWindow);
  }

  #limitsOf(id: string, { loadedTokens, maxTokens }: StudioRow): Partial<ModelLimits> {
    if (loadedTokens > 0) {
      this.#guessed.delete(id);
      this.#loaded.set(id, loadedTokens);
      return { contextWindow: loadedTokens };
    }
    this.#guessed.add(id);
    const guess = this.#loaded.get(id) ?? UNLOADED_TOKENS;
    return { contextWindow: maxTokens > 0 ? Math.min(guess, maxTokens) : guess };
  }

  /** From LM Studio's newer API or its older one. */
  async #studioRows(signal: AbortSignal): Promise<ReadonlyMap<string, StudioRow>> {
    const [newer, older] = await Promise.all(
      ["/api/v1/models", "/api/v0/models"].map((path) => this.#read(path, signal)),
    );
    const rows = [
      ...listIn(older, "data").map((row) => [stringField(row, "id"), olderRow(row)] as const),
      ...listIn(newer, "models").map((row) => [stringField(row, "key"), newerRow(row)] as const),
    ];
    return new Map(rows.filter(([id]) => id !== ""));
  }

  /** `undefined` when the server does not know the path, or is slow. */
  async #read(path: string, signal: AbortSignal): Promise<unknown> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
    const { origin } = new URL(apiAddress(this.#settings));
    return isolatedFetch(this.#settings, origin + path, { signal: inTime }, "list")
      .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
      .catch(() => undefined);
  }
}

interface StudioRow {
  /** Allocated tokens; 0 while the model is not loaded. */
  readonly loadedTokens: number;
  readonly maxTokens: number;
  readonly callsTools: boolean | undefined;
  readonly canChat: boolean;
}

function olderRow(row: unknown): StudioRow {
  const capabilities = member(row, "capabilities");
  return {
    loadedTokens: countIn(row, "loaded_context_length"),
    maxTokens: countIn(row, "max_context_length"),
    callsTools: Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined,
    canChat: canChat(stringField(row, "id"), row),
  };
}

/** A model may be loaded several times, and any instance may answer: uses the smallest window. */
function newerRow(row: unknown): StudioRow {
  const loaded = listIn(row, "loaded_instances")
    .map((instance) => countIn(member(instance, "config"), "context_length"))
    .filter((tokens) => tokens > 0);
  const callsTools = member(member(row, "capabilities"), "trained_for_tool_use");
  return {
    loadedTokens: loaded.length === 0 ? 0 : Math.min(...loaded),
    maxTokens: countIn(row, "max_context_length"),
    callsTools: typeof callsTools === "boolean" ? callsTools : undefined,
    canChat: canChat(stringField(row, "key"), row),
  };
}
