/** Anthropic's models over the Messages API. A raw provider: `guardedProvider` makes it whole. */

import type { ModelInfo } from "@anthropic-ai/sdk/resources/models";
import type { PreparedContext } from "../../core/context/preparedContext.ts";
import type { ForgeError } from "../../core/errors.ts";
import { modelId } from "../../core/ids.ts";
import type { CancelSignal, OfferedModel, Provider, StreamOptions } from "../../core/ports.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { EventQueue } from "../../core/stream/eventQueue.ts";
import { isForeignContentType } from "../../core/stream/failures.ts";
import { produced } from "../../core/stream/produced.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { MessagesClient, type AnthropicSettings } from "./messagesClient.ts";
import { AnthropicDecoder } from "./decode.ts";
import { encodeRequest } from "./encode.ts";
import { foreignAnswer, PROVIDER, toForgeError } from "./errors.ts";

/** Makes the provider. It opens no connection until it is used. */
export function createAnthropicProvider(settings: AnthropicSettings): Provider {
  return {
    name: PROVIDER,
    label: "Anthropic",
    stream(prepared, options, cancel) {
      const controller = new AbortController();
      const abort = (): void => {
        controller.abort();
      };
      return produced(cancel, abort, (queue) =>
        send({ settings, prepared, options, signal: controller.signal }, queue),
      );
    },
    listModels: (cancel) => listModels(settings, cancel),
  };
}

interface Sending {
  readonly settings: AnthropicSettings;
  readonly prepared: PreparedContext;
  readonly options: StreamOptions;
  readonly signal: AbortSignal;
}

/** Makes one request and puts its events into the queue. Never rejects. */
async function send({ settings, prepared, options, signal }: Sending, queue: EventQueue<StreamEvent>): Promise<void> {
  const secrets = [settings.apiKey];
  let phase: "connecting" | "streaming" = "connecting";
  try {
    const messages = await prepared.apiMessages();
    if (!messages.ok) {
      queue.push({ kind: "failed", error: messages.error });
      return;
    }
    const { systemPrompt, tools } = prepared;
    const body = encodeRequest({ systemPrompt, tools, messages: messages.value }, options);
    const client = new MessagesClient(settings, () => {
      if (queue.isEmpty) queue.push({ kind: "ping" });
    });
    const { data: events, response } = await client.messages.create(body, { signal }).withResponse();
    phase = "streaming";
    if (isForeignContentType(response.headers.get("content-type"))) {
      queue.push({ kind: "failed", error: await foreignAnswer(response, { model: options.model, secrets }) });
      return;
    }
    const decoder = new AnthropicDecoder();
    for await (const event of events) {
      for (const decoded of decoder.decode(event)) queue.push(decoded);
    }
  } catch (thrown) {
    queue.push({ kind: "failed", error: toForgeError(thrown, { phase, model: options.model, secrets }) });
  }
}

/** A list that goes on for ever must not. */
const MAX_MODELS = 1_000;

async function listModels(
  settings: AnthropicSettings,
  cancel: CancelSignal,
): Promise<Result<readonly OfferedModel[], ForgeError>> {
  const secrets = [settings.apiKey];
  const controller = new AbortController();
  cancel.addEventListener("abort", () => {
    controller.abort();
  });
  try {
    const list = new MessagesClient(settings).models.list({ limit: 100 }, { signal: controller.signal });
    const { data: page, response } = await list.withResponse();
    if (!/json/i.test(response.headers.get("content-type") ?? "")) {
      return err(await foreignAnswer(response, { secrets }));
    }
    const models: OfferedModel[] = [];
    for await (const model of page) {
      if (model.lifecycle !== "retired") models.push(offered(model));
      if (models.length === MAX_MODELS) break;
    }
    return ok(models);
  } catch (thrown) {
    return err(toForgeError(thrown, { phase: "connecting", secrets }));
  }
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
