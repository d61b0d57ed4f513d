/** Requests to a real server through a provider of Forge, as a turn sends them. */

import assert from "node:assert/strict";
import type { CancelSignal } from "../../src/core/cancellation.ts";
import type { PreparedContext } from "../../src/core/context/request/preparedContext.ts";
import { promptContext } from "../../src/core/context/request/promptContext.ts";
import { modelId, type ModelId } from "../../src/core/ids.ts";
import { textMessage, type Message } from "../../src/core/message.ts";
import { guardedProvider } from "../../src/core/stream/guardedProvider.ts";
import type { OfferedModel, Provider } from "../../src/core/stream/provider.ts";
import type { ProviderUsage, StreamEvent } from "../../src/core/stream/streamEvent.ts";
import { createAnthropicProvider } from "../../src/adapters/anthropic/client.ts";
import { createOpenAiProvider } from "../../src/adapters/openai/client.ts";
import { realClock } from "../../test/support/clocks.ts";
import { testTokenCounter } from "../../test/support/models/tokenCounter.ts";
import { fold, NEVER, type Received } from "../../test/support/models/providerRequests.ts";

/** The protocols that one server speaks, each through the adapter that Forge has for it. */
export const WIRES = ["Chat Completions", "Messages", "Responses"] as const;
export type WireName = (typeof WIRES)[number];

/** A guarded provider as the extension makes it. `url` is without `/v1`. */
export function wireProvider(wire: WireName, url: string, apiKey?: string): Provider {
  const raw =
    wire === "Messages"
      ? createAnthropicProvider({ baseUrl: url, apiKey: apiKey ?? "none" })
      : createOpenAiProvider({
          name: "openaiCompatible",
          label: new URL(url).host,
          baseUrl: `${url}/v1`,
          wire: wire === "Responses" ? "responses" : "chat",
          ...(apiKey === undefined ? {} : { apiKey }),
        });
  return guardedProvider(raw, realClock);
}

export async function listed(provider: Provider): Promise<readonly OfferedModel[]> {
  const models = await provider.listModels(NEVER);
  if (!models.ok) throw new Error(JSON.stringify(models.error));
  return models.value;
}

/** A request of `messages` with their real counts. It may exceed the model's window: then the server decides. */
export function request(
  messages: readonly Message[] | string,
  model: ModelId,
  contextWindow = 1_000_000,
): PreparedContext {
  const list = typeof messages === "string" ? [textMessage("user", messages)] : messages;
  const counter = testTokenCounter();
  const made = promptContext({
    model,
    limits: { contextWindow, maxOutput: 1_000 },
    systemPrompt: SYSTEM,
    systemTokens: counter.countMessage(textMessage("system", SYSTEM)),
    messages: list,
    tokens: list.map((message) => counter.countMessage(message)),
  });
  assert.ok(made.ok, "the request fits");
  return made.value;
}

/** Instructions of every request. */
export const SYSTEM = "You are a helpful assistant. Answer in plain words.";

export interface AskOptions {
  readonly maxOutputTokens?: number;
  readonly cancel?: CancelSignal;
  readonly onEvent?: (event: StreamEvent) => void;
}

export interface Answer extends Received {
  readonly firstEventMs: number;
  readonly ms: number;
  /** Pieces of text received. */
  readonly pieces: number;
}

/** Sends a prepared request, and collects its stream. */
export async function ask(
  provider: Provider,
  model: ModelId | string,
  prepared: PreparedContext,
  { maxOutputTokens = 64, cancel = NEVER, onEvent = () => undefined }: AskOptions = {},
): Promise<Answer> {
  const events: StreamEvent[] = [];
  const start = performance.now();
  let firstEventMs = Number.NaN;
  for await (const event of provider.stream(prepared, { model: modelId(model), maxOutputTokens }, cancel)) {
    if (event.kind === "text" && Number.isNaN(firstEventMs)) firstEventMs = performance.now() - start;
    events.push(event);
    onEvent(event);
  }
  const pieces = events.filter(({ kind }) => kind === "text").length;
  return { ...fold(events), firstEventMs, ms: performance.now() - start, pieces };
}

/** Code, and reason if any, of how a stream ended. */
export function endOf({ end }: Pick<Received, "end">): string {
  if (end === undefined) return "no end";
  if ("stopReason" in end) return end.stopReason;
  return end.error.code === "SERVICE_UNAVAILABLE" ? `${end.error.code} ${end.error.reason}` : end.error.code;
}

export function usageOf({ usage, end }: Received): ProviderUsage {
  if (usage === undefined) throw new Error(`no usage was reported; ${JSON.stringify(end)}`);
  return usage;
}
