/**
 * OpenAI and every server that speaks Chat Completions: vLLM, llama.cpp, LM Studio, OpenRouter and many more.
 * A raw provider: `guardedProvider` makes it whole.
 */

import type { PreparedContext } from "../../core/context/preparedContext.ts";
import type { Provider, StreamOptions } from "../../core/ports.ts";
import type { EventQueue } from "../../core/stream/eventQueue.ts";
import { isForeignContentType } from "../../core/stream/failures.ts";
import { produced } from "../../core/stream/produced.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { ChatDecoder } from "./decode.ts";
import { encodeRequest } from "./encode.ts";
import { foreignAnswer, toForgeError } from "./errors.ts";
import { listModels } from "./models.ts";
import { openAiClient, type OpenAiSettings } from "./openAiClient.ts";

/** Makes the provider. It opens no connection until it is used. */
export function createOpenAiProvider(settings: OpenAiSettings): Provider {
  return {
    name: settings.name,
    label: settings.label,
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
  readonly settings: OpenAiSettings;
  readonly prepared: PreparedContext;
  readonly options: StreamOptions;
  readonly signal: AbortSignal;
}

/** Makes one request and puts its events into the queue. Never rejects. */
async function send({ settings, prepared, options, signal }: Sending, queue: EventQueue<StreamEvent>): Promise<void> {
  const request = { settings, model: options.model };
  const decoder = new ChatDecoder(settings.name);
  let phase: "connecting" | "streaming" = "connecting";
  try {
    const messages = await prepared.apiMessages();
    if (!messages.ok) {
      queue.push({ kind: "failed", error: messages.error });
      return;
    }
    const { systemPrompt, tools } = prepared;
    const body = encodeRequest({ systemPrompt, tools, messages: messages.value }, options, settings.name);
    const client = openAiClient(settings, () => {
      if (queue.isEmpty) queue.push({ kind: "ping" });
    });
    const { data: chunks, response } = await client.chat.completions.create(body, { signal }).withResponse();
    phase = "streaming";
    if (isForeignContentType(response.headers.get("content-type"))) {
      queue.push({ kind: "failed", error: await foreignAnswer(response, request) });
      return;
    }
    for await (const chunk of chunks) {
      for (const event of decoder.decode(chunk)) queue.push(event);
    }
    for (const event of decoder.end()) queue.push(event);
  } catch (thrown) {
    // The answer was whole; what broke after it does not matter.
    const end = decoder.end();
    for (const event of end) queue.push(event);
    if (end.length === 0) queue.push({ kind: "failed", error: toForgeError(thrown, { ...request, phase }) });
  }
}
