/** A provider that answers as a test says, one event at a time. */

import type { OfferedModel, Provider } from "../../src/core/ports.ts";
import { ok } from "../../src/core/result.ts";
import type { StreamEvent } from "../../src/core/stream/streamEvent.ts";

/** What one request is answered with; `beat` lets everything else that is ready run before the next event. */
export type ScriptedAnswer = (beat: () => Promise<void>) => AsyncGenerator<StreamEvent>;

/** A provider whose requests are answered by `answers`, in order; a request more than there are is a failed test. */
export function scriptedProvider(...answers: readonly ScriptedAnswer[]): Provider & { readonly asked: () => number } {
  let next = 0;
  return {
    name: "scripted",
    label: "Scripted",
    asked: () => next,
    async *stream(_prepared, _options, cancel): AsyncGenerator<StreamEvent> {
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

/** An answer of these pieces of text, and a good end. */
export function saying(...pieces: readonly string[]): ScriptedAnswer {
  return async function* (pause) {
    for (const text of pieces) {
      yield { kind: "text", text };
      await pause();
    }
    yield { kind: "done", stopReason: "endTurn" };
  };
}

async function beat(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
