import type { ModelInfo } from "@anthropic-ai/sdk/resources/models";
import { modelId } from "../../core/ids.ts";
import { type CancelSignal } from "../../core/cancellation.ts";
import { listIn, stringField } from "../../core/json.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { ok } from "../../core/result.ts";
import { modelsOfText, requestModels, type ListedModels } from "../http/modelList.ts";
import { PROVIDER, readError } from "./errors.ts";
import { MessagesClient, type AnthropicSettings } from "./messagesClient.ts";

/** Bounds a list that never ends. */
const MAX_MODELS = 1_000;

/** Excludes retired models; keeps the service's order. A gateway may send a list of another form. */
export function listModels(settings: AnthropicSettings, cancel: CancelSignal): Promise<ListedModels> {
  const facts = { provider: PROVIDER, secrets: [settings.apiKey] };
  return requestModels({ facts, readError }, cancel, async (live) => {
    const list = new MessagesClient(settings, { kind: "list" }).models.list({ limit: 100 }, { signal: live });
    const { data: page, response } = await list.withResponse();
    const body: unknown = Reflect.get(page, "body");
    const [first] = listIn(body, "data");
    if (!isModelInfo(first)) {
      return modelsOfText(facts, response, typeof body === "string" ? body : JSON.stringify(body ?? ""));
    }
    const models = new Map<string, OfferedModel>();
    for await (const model of page) {
      if (isModelInfo(model) && model.lifecycle !== "retired") models.set(model.id, offered(model));
      if (models.size === MAX_MODELS) break;
    }
    return ok([...models.values()]);
  });
}

/** Rows of Anthropic's own form. */
function isModelInfo(row: unknown): row is ModelInfo {
  return stringField(row, "type") === "model" && stringField(row, "id") !== "";
}

function offered(model: ModelInfo): OfferedModel {
  const id = modelId(model.id);
  const label = stringField(model, "display_name") || model.id;
  const limits = {
    ...(isCount(model.max_input_tokens) ? { contextWindow: model.max_input_tokens } : {}),
    ...(isCount(model.max_tokens) ? { maxOutput: model.max_tokens } : {}),
  };
  return Object.keys(limits).length === 0 ? { id, label } : { id, label, limits };
}

function isCount(value: number | null): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
