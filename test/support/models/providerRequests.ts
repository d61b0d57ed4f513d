import assert from "node:assert/strict";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { promptContext } from "../../../src/core/context/request/promptContext.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import { modelId, type ModelId } from "../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../../src/core/stream/streamEvent.ts";

/** A signal that is never aborted. */
export const NEVER: CancelSignal = new AbortController().signal;

/** A request with `messages`, or with one message of the user. */
export function prepared(messages: readonly Message[] | string, systemPrompt = ""): PreparedContext {
  const list = typeof messages === "string" ? [textMessage("user", messages)] : messages;
  const request = promptContext({
    model: modelId("any"),
    limits: { contextWindow: 100_000_000, maxOutput: 1_000 },
    systemPrompt,
    messages: list,
    tokens: list.map(() => ({ cl100k: 1, o200k: 1 })),
  });
  assert.ok(request.ok);
  return request.value;
}

/** Collected result of a stream. */
export interface Received {
  readonly text: string;
  readonly thinking: string;
  readonly signatures: readonly string[];
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly inputJson: string }[];
  readonly usage: ProviderUsage | undefined;
  readonly waited: readonly string[];
  readonly end: { readonly stopReason: StopReason } | { readonly error: ForgeError } | undefined;
}

/** Collects the events of a stream. Fails on an event after the terminal one. */
export function fold(events: readonly StreamEvent[]): Received {
  let text = "";
  let thinking = "";
  let usage: ProviderUsage | undefined;
  let end: Received["end"];
  const signatures: string[] = [];
  const waited: string[] = [];
  const calls = new Map<string, { id: string; name: string; inputJson: string }>();
  for (const event of events) {
    assert.equal(end, undefined, `${event.kind} after the end`);
    if (event.kind === "text") text += event.text;
    else if (event.kind === "thinking") thinking += event.text;
    else if (event.kind === "textWasThinking") {
      thinking += text.trim();
      text = "";
    } else if (event.kind === "thinkingSignature") signatures.push(event.signature);
    else if (event.kind === "toolCallStart")
      calls.set(event.callId, { id: event.callId, name: event.name, inputJson: "" });
    else if (event.kind === "toolCallArgs") {
      const call = calls.get(event.callId);
      assert.ok(call, "arguments before their call");
      call.inputJson += event.json;
    } else if (event.kind === "usage") ({ usage } = event);
    else if (event.kind === "waiting") waited.push(event.why);
    else if (event.kind === "done") end = { stopReason: event.stopReason };
    else if (event.kind === "failed") end = { error: event.error };
  }
  return { text, thinking, signatures, toolCalls: [...calls.values()], usage, waited, end };
}

/** Sends a request and collects its stream. */
export async function ask(
  provider: Provider,
  model: ModelId,
  question: PreparedContext = prepared("What is a clamp?"),
  cancel: CancelSignal = NEVER,
): Promise<Received> {
  const events: StreamEvent[] = [];
  for await (const event of provider.stream(question, { model, maxOutputTokens: 500 }, cancel)) events.push(event);
  return fold(events);
}

/** Code and reason of a failure, without its message. */
export function nameOf(end: Received["end"]): string {
  if (end === undefined) return "no end";
  if ("stopReason" in end) return end.stopReason;
  return end.error.code === "SERVICE_UNAVAILABLE" ? end.error.reason : end.error.code;
}
