/**
 * LM Studio and llama.cpp report the context window, and more, outside the standard API. LM Studio allocates one only
 * when it loads a model, and seldom the largest possible: until then it is unknown.
 */

import { follow, type CancelSignal } from "../../core/cancellation.ts";
import type { ModelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { countIn, listIn, member, stringField } from "../../core/json.ts";
import { canChat, offeredModel } from "../http/listedModels.ts";
import { factsOfProps, factsOfUnloaded, isOfRouter, isUnloaded, llamaRows } from "./llamaServer.ts";
import { apiAddress, isolatedFetch, type OpenAiSettings } from "./openAiClient.ts";

/** For models that are not loaded: the same as for an unknown model. */
const UNLOADED_TOKENS = 8_192;
/** Models of a router whose facts are requested. */
const MOST_PROPS = 20;

/** Windows of a local server; remembered as long as the provider lives. */
export class LocalWindows {
  readonly #settings: OpenAiSettings;
  /** Models whose window is a guess. */
  readonly #guessed = new Set<string>();
  /** Tokens allocated when each model was loaded last. */
  readonly #loaded = new Map<string, number>();

  #isLlama = false;

  constructor(settings: OpenAiSettings) {
    this.#settings = settings;
  }

  /** True for llama.cpp, by the newest list. */
  get isLlama(): boolean {
    return this.#isLlama;
  }

  /**
   * Adds what the server tells about the models of `list`, its body. Other servers than llama.cpp are asked only where
   * the list has no windows, and only without TLS, as the local ones are.
   */
  async withFacts(
    models: readonly OfferedModel[],
    list: unknown,
    signal: AbortSignal,
  ): Promise<readonly OfferedModel[]> {
    if (models.length === 0) return models;
    const llama = new Map(llamaRows(list).map((row) => [stringField(row, "id"), row]));
    this.#isLlama = llama.size > 0;
    if (this.#isLlama) return this.#withLlamaFacts(models, llama, signal);
    const isLocal = new URL(apiAddress(this.#settings)).protocol === "http:";
    if (!isLocal || models.some(({ limits }) => limits !== undefined)) return models;
    const [rows, props] = await Promise.all([this.#studioRows(signal), this.#props(signal)]);
    const told = factsOfProps(props); // a server that does not name itself may be llama.cpp all the same
    return models.flatMap((model) => {
      const row = rows.get(model.id);
      if (row === undefined) return offeredModel(model.id, { ...model, ...told });
      const { callsTools, seesImages } = row;
      return row.canChat
        ? offeredModel(model.id, { limits: this.#limitsOf(model.id, row), callsTools, seesImages })
        : [];
    });
  }

  /** Requests the window of a model that was a guess: it has just answered, so it is loaded. Failures are ignored. */
  async learn(model: ModelId): Promise<void> {
    if (!this.#guessed.has(model)) return;
    const signal = AbortSignal.timeout(2_000);
    const row = (await this.#studioRows(signal)).get(model);
    const window =
      row === undefined
        ? factsOfProps(await this.#props(signal, model)).limits.contextWindow
        : row.loadedTokens > 0
          ? this.#limitsOf(model, row).contextWindow
          : undefined;
    if (window === undefined) return;
    this.#guessed.delete(model);
    this.#settings.onWindow?.(model, window);
  }

  /** Tokens of a request's input, by llama.cpp; `undefined` of other servers. */
  async countTokens(body: object, cancel: CancelSignal): Promise<number | undefined> {
    if (!this.#isLlama) return undefined;
    const live = new AbortController();
    const unfollow = follow(cancel, live);
    const ask = (path: string, sent: object): Promise<unknown> =>
      this.#read(path, live.signal, { method: "POST", body: JSON.stringify(sent) });
    const prompt = member(await ask("/apply-template", body), "prompt");
    const model = member(body, "model");
    // As for a chat: with the model's own marks.
    const counted =
      typeof prompt === "string"
        ? await ask("/tokenize", { model, content: prompt, add_special: true, parse_special: true })
        : undefined;
    unfollow();
    const tokens = listIn(counted, "tokens").length;
    return tokens > 0 ? tokens : undefined;
  }

  async #withLlamaFacts(
    models: readonly OfferedModel[],
    rows: ReadonlyMap<string, unknown>,
    signal: AbortSignal,
  ): Promise<readonly OfferedModel[]> {
    const whole = [...rows.values()].some(isOfRouter) ? undefined : await this.#props(signal);
    return Promise.all(
      models.map(async (model, index) => {
        const row = rows.get(model.id);
        if (row === undefined) return model;
        const isAsked = index < MOST_PROPS && !isUnloaded(row);
        const facts =
          whole !== undefined
            ? factsOfProps(whole)
            : isOfRouter(row) && isAsked
              ? factsOfProps(await this.#props(signal, model.id))
              : factsOfUnloaded(row);
        if (isUnloaded(row)) this.#guessed.add(model.id);
        return offeredModel(model.id, {
          limits: { ...model.limits, ...facts.limits },
          callsTools: facts.callsTools ?? model.callsTools,
          seesImages: facts.seesImages ?? model.seesImages,
          slots: facts.slots,
        });
      }),
    );
  }

  /** Of a router's model where one is named, without loading it. */
  #props(signal: AbortSignal, model?: string): Promise<unknown> {
    const query = model === undefined ? "" : `?${String(new URLSearchParams({ model, autoload: "false" }))}`;
    return this.#read(`/props${query}`, signal);
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
  async #read(path: string, signal: AbortSignal, request: RequestInit = {}): Promise<unknown> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
    const { origin } = new URL(apiAddress(this.#settings));
    return isolatedFetch(this.#settings, origin + path, { ...request, signal: inTime }, "list")
      .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
      .catch(() => undefined);
  }
}

interface StudioRow {
  /** Allocated tokens; 0 while the model is not loaded. */
  readonly loadedTokens: number;
  readonly maxTokens: number;
  readonly callsTools: boolean | undefined;
  readonly seesImages: boolean | undefined;
  readonly canChat: boolean;
}

function olderRow(row: unknown): StudioRow {
  const capabilities = member(row, "capabilities");
  return {
    loadedTokens: countIn(row, "loaded_context_length"),
    maxTokens: countIn(row, "max_context_length"),
    callsTools: Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined,
    seesImages: stringField(row, "type") === "vlm" ? true : undefined,
    canChat: canChat(stringField(row, "id"), row),
  };
}

/** A model may be loaded several times, and any instance may answer: uses the smallest window. */
function newerRow(row: unknown): StudioRow {
  const loaded = listIn(row, "loaded_instances")
    .map((instance) => countIn(member(instance, "config"), "context_length"))
    .filter((tokens) => tokens > 0);
  const capabilities = member(row, "capabilities");
  const [callsTools, seesImages] = ["trained_for_tool_use", "vision"].map((name) => member(capabilities, name));
  return {
    loadedTokens: loaded.length === 0 ? 0 : Math.min(...loaded),
    maxTokens: countIn(row, "max_context_length"),
    callsTools: typeof callsTools === "boolean" ? callsTools : undefined,
    seesImages: typeof seesImages === "boolean" ? seesImages : undefined,
    canChat: canChat(stringField(row, "key"), row),
  };
}
