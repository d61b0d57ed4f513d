/** The lines of an `/api/chat` stream as our events. Tool calls come whole; the last line has the counts. */

import { CallIds } from "../http/callIds.ts";
import { httpFailure, type RequestFacts } from "../http/httpFailure.ts";
import { countIn, listIn, member, stringField } from "../../core/json.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../core/stream/streamEvent.ts";

/** Decodes one stream, line by line. */
export class OllamaDecoder {
  readonly #facts: RequestFacts;
  readonly #callIds = new CallIds();
  /** What was called, with the ids that the server gave. */
  readonly #called = new Set<string>();
  #usage: ProviderUsage | undefined;

  /** `facts` are named in the failure of an answer that the server broke off. */
  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  /** What was billed, once the answer has ended. */
  get usage(): ProviderUsage | undefined {
    return this.#usage;
  }

  /** What a line says, in order; often nothing. */
  decode(line: unknown): readonly StreamEvent[] {
    const error = member(line, "error");
    if (error !== undefined && error !== null) return [this.#failed(error)];
    const message = member(line, "message");
    const events: StreamEvent[] = [];
    const thinking = stringField(message, "thinking");
    const text = stringField(message, "content");
    if (thinking !== "") events.push({ kind: "thinking", text: thinking });
    if (text !== "") events.push({ kind: "text", text });
    for (const call of listIn(message, "tool_calls")) events.push(...this.#call(call));
    if (member(line, "done") === true) events.push(...this.#end(line));
    return events;
  }

  #call(call: unknown): readonly StreamEvent[] {
    const called = member(call, "function");
    const given = stringField(call, "id");
    const name = stringField(called, "name");
    const input = member(called, "arguments");
    const json = typeof input === "string" ? input : JSON.stringify(input ?? {});
    const whole = JSON.stringify([given, name, json]);
    // The same call is sometimes told again in the last line.
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
      inputTokens: countIn(line, "prompt_eval_count"),
      outputTokens: countIn(line, "eval_count"),
      cacheReadTokens: countIn(line, "prompt_eval_cached_count"),
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
    return [
      { kind: "usage", usage: this.#usage },
      { kind: "done", stopReason: this.#stopReason(stringField(line, "done_reason")) },
    ];
  }

  #stopReason(reason: string): StopReason {
    if (reason === "length") return "maxTokens";
    return this.#called.size > 0 ? "toolUse" : "endTurn";
  }

  #failed(error: unknown): StreamEvent {
    const message = typeof error === "string" ? error : stringField(error, "message");
    return { kind: "failed", error: httpFailure({ ...this.#facts, type: "", message }) };
  }
}
