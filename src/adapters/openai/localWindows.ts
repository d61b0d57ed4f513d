/**
 * LM Studio and llama.cpp tell the window beside the standard interface. LM Studio sets a window aside only when it loads
 * a model, and what it sets aside is seldom what the model could hold: until then nothing is known.
 */

import { modelId, type ModelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { countIn, listIn, member, stringField } from "../../core/json.ts";
import { apiAddress, ownFetch, type OpenAiSettings } from "./openAiClient.ts";

/** A model that is not loaded is planned with as one of which nothing is known. */
const UNLOADED_TOKENS = 8_192;

/** The windows of a local server, and what was learned of them as long as the provider lives. */
export class LocalWindows {
  readonly #settings: OpenAiSettings;
  /** Models whose window is a guess. */
  readonly #guessed = new Set<string>();
  /** What was set aside for models the last time that they were loaded. */
  readonly #loaded = new Map<string, number>();

  constructor(settings: OpenAiSettings) {
    this.#settings = settings;
  }

  /** The same models with their windows. Only servers without TLS, so local ones, are asked. */
  async complete(models: readonly OfferedModel[], signal: AbortSignal): Promise<readonly OfferedModel[]> {
    if (new URL(apiAddress(this.#settings)).protocol !== "http:" || models.length === 0) return models;
    const [rows, llama] = await Promise.all([this.#studioRows(signal), this.#read("/props", signal)]);
    const served = countIn(member(llama, "default_generation_settings"), "n_ctx");
    return models.map((model) => {
      const row = rows.get(model.id);
      if (row !== undefined) return offer(model.id, this.#limitsOf(model.id, row), row.callsTools);
      return offer(model.id, served > 0 ? { contextWindow: served } : {}, model.callsTools);
    });
  }

  /** A model has answered, so it is loaded: a window that was a guess is asked for. Failures tell nothing. */
  async learn(model: ModelId): Promise<void> {
    if (!this.#guessed.has(model)) return;
    const row = (await this.#studioRows(AbortSignal.timeout(2_000))).get(model);
    if (row === undefined || row.loadedTokens === 0) return;
    const { contextWindow } = this.#limitsOf(model, row);
    if (contextWindow !== undefined) this.#settings.onWindow?.(model, contextWindow);
  }

  #limitsOf(id: string, { loadedTokens, possibleTokens }: StudioRow): Partial<ModelLimits> {
    if (loadedTokens > 0) {
      this.#guessed.delete(id);
      this.#loaded.set(id, loadedTokens);
      return { contextWindow: loadedTokens };
    }
    this.#guessed.add(id);
    const guess = this.#loaded.get(id) ?? UNLOADED_TOKENS;
    return { contextWindow: possibleTokens > 0 ? Math.min(guess, possibleTokens) : guess };
  }

  /** What LM Studio tells, by its newer interface or its older one. */
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

  /** A server that does not know the path, or is slow, tells nothing. */
  async #read(path: string, signal: AbortSignal): Promise<unknown> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
    const { origin } = new URL(apiAddress(this.#settings));
    return ownFetch(this.#settings, origin + path, { signal: inTime })
      .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
      .catch(() => undefined);
  }
}

/** What LM Studio tells of a model. */
interface StudioRow {
  /** What is set aside; 0 while it is not loaded. */
  readonly loadedTokens: number;
  readonly possibleTokens: number;
  readonly callsTools: boolean | undefined;
}

function olderRow(row: unknown): StudioRow {
  const capabilities = member(row, "capabilities");
  return {
    loadedTokens: countIn(row, "loaded_context_length"),
    possibleTokens: countIn(row, "max_context_length"),
    callsTools: Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined,
  };
}

/** A model may be loaded more than once; which one answers is not known. */
function newerRow(row: unknown): StudioRow {
  const loaded = listIn(row, "loaded_instances")
    .map((instance) => countIn(member(instance, "config"), "context_length"))
    .filter((tokens) => tokens > 0);
  const callsTools = member(member(row, "capabilities"), "trained_for_tool_use");
  return {
    loadedTokens: loaded.length === 0 ? 0 : Math.min(...loaded),
    possibleTokens: countIn(row, "max_context_length"),
    callsTools: typeof callsTools === "boolean" ? callsTools : undefined,
  };
}

/** A model as it is listed, with what is known of it. */
export function offer(id: string, limits: Partial<ModelLimits>, callsTools: boolean | undefined): OfferedModel {
  return {
    id: modelId(id),
    label: id,
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(callsTools === undefined ? {} : { callsTools }),
  };
}
