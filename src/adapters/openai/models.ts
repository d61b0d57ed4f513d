/** The models that a server offers, with the windows that it tells. Servers tell them in many places, or not at all. */

import type { ForgeError } from "../../core/errors.ts";
import { modelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { CancelSignal, OfferedModel } from "../../core/ports.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { follow } from "../../core/stream/cancellation.ts";
import { firstPieces } from "../../core/stream/httpBody.ts";
import { foreignFailure } from "../../core/stream/httpFailure.ts";
import { countIn, member } from "../../core/stream/jsonFields.ts";
import { judgeThrown } from "../../core/stream/judgeThrown.ts";
import { factsOf, readError } from "./errors.ts";
import { apiAddress, openAiClient, sealedFetch, type OpenAiSettings } from "./openAiClient.ts";

/** Lists the models that can chat: OpenAI's newest first, a compatible server's in its own order. */
export async function listModels(
  settings: OpenAiSettings,
  cancel: CancelSignal,
): Promise<Result<readonly OfferedModel[], ForgeError>> {
  const facts = factsOf(settings);
  const live = new AbortController();
  const unfollow = follow(cancel, live);
  try {
    const { data: page, response } = await openAiClient(settings).models.list({ signal: live.signal }).withResponse();
    const contentType = response.headers.get("content-type");
    if (!/json/i.test(contentType ?? "")) {
      const body = Buffer.concat(await firstPieces(response)).toString("utf8");
      return err(foreignFailure({ ...facts, contentType, body }));
    }
    // Together's list is the whole body.
    const body: unknown = Reflect.get(page, "body");
    const listed: readonly unknown[] = Array.isArray(body) ? body : page.data;
    const named = listed.filter(isNamed).filter((model) => canChat(model.id));
    const sorted =
      settings.name === "openai" ? [...named].sort((a, b) => countIn(b, "created") - countIn(a, "created")) : named;
    const offered = sorted.map((model) => offer(model.id, limitsIn(model), toolsIn(model)));
    const untold = offered.every((model) => model.limits === undefined);
    return ok(
      untold && settings.name === "openaiCompatible" ? await withLocalWindows(offered, settings, live.signal) : offered,
    );
  } catch (thrown) {
    return err(judgeThrown(thrown, readError(thrown), { ...facts, phase: "connecting" }));
  } finally {
    unfollow();
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

function offer(id: string, limits: Partial<ModelLimits>, callsTools: boolean | undefined): OfferedModel {
  return {
    id: modelId(id),
    label: id,
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(callsTools === undefined ? {} : { callsTools }),
  };
}

/** OpenRouter lists parameters; LM Studio, since it knows of tools, lists what a model can do. */
function toolsIn(model: unknown): boolean | undefined {
  const parameters = member(model, "supported_parameters");
  if (Array.isArray(parameters)) return parameters.includes("tools");
  const capabilities = member(model, "capabilities");
  return Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined;
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
    countIn(member(model, "meta"), "n_ctx");
  const maxOutput = [model, member(model, "top_provider")]
    .map((place) => countIn(place, "max_completion_tokens"))
    .find((count) => count > 0);
  return { ...(contextWindow > 0 ? { contextWindow } : {}), ...(maxOutput === undefined ? {} : { maxOutput }) };
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
  const rows = member(studio, "data");
  const byId = new Map((Array.isArray(rows) ? rows : []).filter(isNamed).map((row) => [row.id, row]));
  const served = countIn(member(llama, "default_generation_settings"), "n_ctx");
  return models.map((model) => {
    const told = byId.get(model.id);
    if (told !== undefined) return offer(model.id, limitsIn(told), toolsIn(told));
    return offer(model.id, served > 0 ? { contextWindow: served } : {}, model.callsTools);
  });
}

/** A server that does not know the path, or is slow, tells nothing. */
async function readJson(settings: OpenAiSettings, url: string, signal: AbortSignal): Promise<unknown> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
  return sealedFetch(settings, url, { signal: inTime })
    .then((response): Promise<unknown> => (response.ok ? response.json() : Promise.resolve(undefined)))
    .catch(() => undefined);
}
