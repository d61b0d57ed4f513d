import type { ModelInfo } from "@anthropic-ai/sdk/resources/models";
import { modelId } from "../../core/ids.ts";
import { type CancelSignal } from "../../core/cancellation.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { err, ok } from "../../core/result.ts";
import { notAListFailure, requestModels, type ListedModels } from "../http/modelList.ts";
import { PROVIDER, readError } from "./errors.ts";
import { MessagesClient, type AnthropicSettings } from "./messagesClient.ts";

/** Bounds a list that never ends. */
const MAX_MODELS = 1_000;

/** Excludes retired models; keeps the service's order. */
export function listModels(settings: AnthropicSettings, cancel: CancelSignal): Promise<ListedModels> {
  const facts = { provider: PROVIDER, secrets: [settings.apiKey] };
  return requestModels({ facts, readError }, cancel, async (live) => {
    const list = new MessagesClient(settings, { kind: "list" }).models.list({ limit: 100 }, { signal: live });
    const { data: page, response } = await list.withResponse();
    const foreign = await notAListFailure(facts, response);
    if (foreign !== undefined) return err(foreign);
    const models: OfferedModel[] = [];
    for await (const model of page) {
      if (model.lifecycle !== "retired") models.push(offered(model));
      if (models.length === MAX_MODELS) break;
    }
    return ok(models);
  });
}

function offered(model: ModelInfo): OfferedModel {
  const id = modelId(model.id);
  const label = model.display_name === "" ? model.id : model.display_name;
  const limits = {
    ...(isCount(model.max_input_tokens) ? { contextWindow: model.max_input_tokens } : {}),
    ...(isCount(model.max_tokens) ? { maxOutput: model.max_tokens } : {}),
  };
  return Object.keys(limits).length === 0 ? { id, label } : { id, label, limits };
}

function isCount(value: number | null): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
