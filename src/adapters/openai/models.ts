/** The models that a server offers, with the windows that it tells. Servers tell them in many places, or not at all. */

import type { ForgeError } from "../../core/errors.ts";
import { modelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { CancelSignal, OfferedModel } from "../../core/ports.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { foreignAnswer, toForgeError } from "./errors.ts";
import { apiAddress, openAiClient, sealedFetch, type OpenAiSettings } from "./openAiClient.ts";

/** Lists the models that can chat: OpenAI's newest first, a compatible server's in its own order. */
export async function listModels(
  settings: OpenAiSettings,
  cancel: CancelSignal,
): Promise<Result<readonly OfferedModel[], ForgeError>> {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  cancel.addEventListener("abort", abort);
  try {
    const { data: page, response } = await openAiClient(settings)
      .models.list({ signal: controller.signal })
      .withResponse();
    if (!/json/i.test(response.headers.get("content-type") ?? ""))
      return err(await foreignAnswer(response, { settings }));
    const listed: readonly unknown[] = page.data;
    const named = listed.filter(isNamed).filter((model) => canChat(model.id));
    const sorted =
      settings.name === "openai" ? [...named].sort((a, b) => countIn(b, "created") - countIn(a, "created")) : named;
    const offered = sorted.map((model) => offer(model.id, limitsIn(model)));
    const untold = offered.every((model) => model.limits === undefined);
    return ok(
      untold && settings.name === "openaiCompatible"
        ? await withLocalWindows(offered, settings, controller.signal)
        : offered,
    );
  } catch (thrown) {
    return err(toForgeError(thrown, { settings, phase: "connecting" }));
  } finally {
    cancel.removeEventListener("abort", abort);
  }
}

interface Named {
  readonly id: string;
}

function isNamed(model: unknown): model is Named {
  return (
    typeof model === "object" && model !== null && "id" in model && typeof model.id === "string" && model.id !== ""
  );
}

/** OpenAI's list holds everything that it sells; of the others, embedders are the common guests. */
function canChat(id: string): boolean {
  return !/embed|whisper|\btts\b|-tts|dall-e|moderation|transcribe|realtime|-audio|gpt-image|sora|^(?:babbage|davinci)/i.test(
    id,
  );
}

function offer(id: string, limits: Partial<ModelLimits>): OfferedModel {
  const known = Object.keys(limits).length > 0;
  return known ? { id: modelId(id), label: id, limits } : { id: modelId(id), label: id };
}

/** vLLM, OpenRouter, LM Studio (allocated before possible), llama.cpp; others copy one of them. */
const WINDOW_FIELDS = [
  "max_model_len",
  "loaded_context_length",
  "context_length",
  "context_window",
  "max_context_length",
];

function limitsIn(model: unknown): Partial<ModelLimits> {
  const contextWindow =
    WINDOW_FIELDS.map((name) => countIn(model, name)).find((count) => count > 0) ??
    countIn(memberOf(model, "meta"), "n_ctx");
  const maxOutput = countIn(memberOf(model, "top_provider"), "max_completion_tokens");
  return { ...(contextWindow > 0 ? { contextWindow } : {}), ...(maxOutput > 0 ? { maxOutput } : {}) };
}

/** LM Studio and llama.cpp tell the window beside the standard interface. Only servers without TLS, so local ones, are asked. */
async function withLocalWindows(
  models: readonly OfferedModel[],
  settings: OpenAiSettings,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const { protocol, origin } = new URL(apiAddress(settings));
  if (protocol !== "http:" || models.length === 0) return models;
  const [studio, llama] = await Promise.all(
    ["/api/v0/models", "/props"].map((path) => readJson(settings, origin + path, signal)),
  );
  const rows = memberOf(studio, "data");
  const byId = new Map((Array.isArray(rows) ? rows : []).filter(isNamed).map((row) => [row.id, limitsIn(row)]));
  const served = countIn(memberOf(llama, "default_generation_settings"), "n_ctx");
  return models.map((model) => {
    const limits = byId.get(model.id) ?? (served > 0 ? { contextWindow: served } : {});
    return offer(model.id, limits);
  });
}

/** A server that does not know the path, or is slow, tells nothing. */
async function readJson(settings: OpenAiSettings, url: string, signal: AbortSignal): Promise<unknown> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
  return sealedFetch(settings, url, { signal: inTime })
    .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
    .catch(() => undefined);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function countIn(value: unknown, name: string): number {
  const count = memberOf(value, name);
  return typeof count === "number" && Number.isSafeInteger(count) ? count : 0;
}
