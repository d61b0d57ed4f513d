/** Models of a server with their windows, which servers report in many fields, or not at all. */

import type { ModelLimits } from "../../core/models/modelLimits.ts";
import { type CancelSignal } from "../../core/cancellation.ts";
import { err, ok } from "../../core/result.ts";
import { notAListFailure, requestModels, type ListedModels } from "../http/modelList.ts";
import { countIn, member, stringField } from "../../core/json.ts";
import { factsOf, readError } from "./errors.ts";
import { offeredModel, type LocalWindows } from "./localWindows.ts";
import { openAiClient, type OpenAiSettings } from "./openAiClient.ts";

/** Excludes models that cannot chat. Order: newest first for OpenAI, else the server's own. */
export function listModels(
  settings: OpenAiSettings,
  windows: LocalWindows,
  cancel: CancelSignal,
): Promise<ListedModels> {
  const facts = factsOf(settings);
  return requestModels({ facts, readError }, cancel, async (live) => {
    const { data: page, response } = await openAiClient(settings, "list").models.list({ signal: live }).withResponse();
    const foreign = await notAListFailure(facts, response);
    if (foreign !== undefined) return err(foreign);
    // Together's body is the list itself.
    const body: unknown = Reflect.get(page, "body");
    const listed: readonly unknown[] = Array.isArray(body) ? body : page.data;
    const named = listed.filter(hasId).filter((model) => canChat(model.id));
    const sorted =
      settings.name === "openai" ? [...named].sort((a, b) => countIn(b, "created") - countIn(a, "created")) : named;
    const offered = sorted.map((model) => offeredModel(model.id, limitsIn(model), toolsIn(model)));
    const noneHasLimits = offered.every((model) => model.limits === undefined);
    return ok(
      noneHasLimits && settings.name === "openaiCompatible" ? await windows.withWindows(offered, live) : offered,
    );
  });
}

interface Named {
  readonly id: string;
}

function hasId(model: unknown): model is Named {
  return stringField(model, "id") !== "";
}

/** OpenAI lists everything that it sells; other servers often list embedding models. */
function canChat(id: string): boolean {
  return !/embed|whisper|\btts\b|-tts|dall-e|moderation|transcribe|realtime|-audio|gpt-image|sora|^(?:babbage|davinci)/i.test(
    id,
  );
}

/** OpenRouter lists parameters; others, like LM Studio, capabilities. */
function toolsIn(model: unknown): boolean | undefined {
  const parameters = member(model, "supported_parameters");
  if (Array.isArray(parameters)) return parameters.includes("tools");
  const capabilities = member(model, "capabilities");
  return Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined;
}

/** vLLM, LM Studio (allocated before possible), OpenRouter, Groq, Mistral; others copy one of them. */
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
