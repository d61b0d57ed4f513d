import type { ForgeError } from "../../../src/core/errors.ts";
import { toolCallId } from "../../../src/core/ids.ts";
import type { OfferedModel, Provider } from "../../../src/core/stream/provider.ts";
import type { Message } from "../../../src/core/message.ts";
import { ok } from "../../../src/core/result.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";

/** Answer to one request. `beat` lets everything else that is ready run before the next event. */
export type ScriptedAnswer = (beat: () => Promise<void>) => AsyncGenerator<StreamEvent>;

/** A provider that records its requests. */
export interface ScriptedProvider extends Provider {
  /** Number of requests. */
  readonly asked: () => number;
  /** Messages by request. */
  readonly requests: readonly (readonly Message[])[];
}

/** Answers requests by `answers` in order. More requests than answers fail the test. */
export function scriptedProvider(...answers: readonly ScriptedAnswer[]): ScriptedProvider {
  let next = 0;
  const requests: (readonly Message[])[] = [];
  return {
    name: "scripted",
    label: "Scripted",
    asked: () => next,
    requests,
    async *stream(prepared, _options, cancel): AsyncGenerator<StreamEvent> {
      const messages = await prepared.apiMessages();
      if (messages.ok) requests.push(messages.value);
      const answer = answers[next++];
      if (answer === undefined) throw new Error("the provider was asked more often than the test expects");
      for await (const event of answer(beat)) {
        if (cancel.aborted) {
          yield { kind: "failed", error: { code: "CANCELLED" } };
          return;
        }
        yield event;
      }
    },
    listModels: () => Promise.resolve(ok([] as readonly OfferedModel[])),
  };
}

/** An answer of these pieces of text that ends normally. */
export function saying(...pieces: readonly string[]): ScriptedAnswer {
  return async function* (pause) {
    for (const text of pieces) {
      yield { kind: "text", text };
      await pause();
    }
    yield { kind: "done", stopReason: "endTurn" };
  };
}

/** An answer of a text and tool calls. */
export function calling(text: string, ...calls: readonly ScriptedToolCall[]): ScriptedAnswer {
  return async function* (pause) {
    if (text !== "") yield { kind: "text", text };
    for (const { id, name, input } of calls) {
      const callId = toolCallId(id);
      yield { kind: "toolCallStart", callId, name };
      await pause();
      const json = typeof input === "string" ? input : JSON.stringify(input);
      for (const piece of [json.slice(0, 3), json.slice(3)]) yield { kind: "toolCallArgs", callId, json: piece };
    }
    yield { kind: "done", stopReason: "toolUse" };
  };
}

/** A call of a scripted answer. An input of type string is sent unchanged, even if it is not JSON. */
export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string | object;
}

/** An answer that fails after these pieces of text. */
export function breaking(error: ForgeError, ...pieces: readonly string[]): ScriptedAnswer {
  return async function* (pause) {
    for (const text of pieces) {
      yield { kind: "text", text };
      await pause();
    }
    await pause();
    yield { kind: "failed", error };
  };
}

async function beat(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
