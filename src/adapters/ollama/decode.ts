/** Decoder for `/api/chat` streams. Tool calls arrive whole; the last line has the token counts. */

import { CallIds } from "../http/callIds.ts";
import { errorIn } from "../http/errorBody.ts";
import { failureInSuccess, type RequestFacts } from "../http/httpFailure.ts";
import { stopReasonOf } from "../http/stopReasons.ts";
import { ThoughtTags } from "../http/thoughtTags.ts";
import { figureIn } from "../http/usage.ts";
import { listIn, member, stringField } from "../../core/json.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../core/stream/streamEvent.ts";

export class OllamaDecoder {
  readonly #facts: RequestFacts;
  readonly #callIds = new CallIds();
  readonly #thoughts = new ThoughtTags();
  /** Calls received with the server's own ids, to detect repeats. */
  readonly #called = new Set<string>();
  #usage: ProviderUsage | undefined;

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  /** `undefined` until the answer has ended. */
  get usage(): ProviderUsage | undefined {
    return this.#usage;
  }

  decode(line: unknown): readonly StreamEvent[] {
    const error = errorIn(line);
    if (error !== undefined) return [{ kind: "failed", error: failureInSuccess(this.#facts, error) }];
    const message = member(line, "message");
    const events: StreamEvent[] = [];
    const thinking = stringField(message, "thinking");
    const text = stringField(message, "content");
    if (thinking !== "") {
      this.#thoughts.noteThinking();
      events.push({ kind: "thinking", text: thinking });
    }
    events.push(...this.#thoughts.add(text));
    for (const call of listIn(message, "tool_calls")) events.push(...this.#thoughts.end(), ...this.#call(call));
    if (member(line, "done") === true) events.push(...this.#end(line));
    return events;
  }

  /** Text that was held back. */
  flush(): readonly StreamEvent[] {
    return this.#thoughts.end();
  }

  #call(call: unknown): readonly StreamEvent[] {
    const called = member(call, "function");
    const given = stringField(call, "id");
    const name = stringField(called, "name");
    const input = member(called, "arguments");
    const json = typeof input === "string" ? input : JSON.stringify(input ?? {});
    const whole = JSON.stringify([given, name, json]);
    // Some servers repeat a call in the last line.
    if (given !== "" && this.#called.has(whole)) return [];
    this.#called.add(whole);
    const callId = this.#callIds.next(given);
    return [
      { kind: "toolCallStart", callId, name },
      { kind: "toolCallArgs", callId, json },
    ];
  }

  #end(line: unknown): readonly StreamEvent[] {
    this.#usage = {
      inputTokens: figureIn(line, "prompt_eval_count"),
      outputTokens: figureIn(line, "eval_count"),
      cacheReadTokens: figureIn(line, "prompt_eval_cached_count"),
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
    return [
      ...this.#thoughts.end(),
      { kind: "usage", usage: this.#usage },
      { kind: "done", stopReason: this.#stopReason(stringField(line, "done_reason")) },
    ];
  }

  #stopReason(reason: string): StopReason {
    return stopReasonOf(reason) ?? (this.#called.size > 0 ? "toolUse" : "endTurn");
  }
}
