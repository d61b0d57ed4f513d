/** OpenHands' trajectories: actions and the observations that they caused. It has no branches and no title. */

import {
  compactionAfter,
  expectTurn,
  isDamaged,
  listOf,
  timeOf,
  turnsUntil,
  type GeneratedFormat,
} from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedStep, type Talk } from "../talk.ts";

export const openHands: GeneratedFormat = {
  name: "openHands",
  file: "trajectory.json",
  write: (talk, tally, isFull) => listOf("[", new Trajectory(talk, tally).events(isFull), "]"),
};

class Trajectory {
  readonly #talk: Talk;
  readonly #tally: Tally;
  #count = 0;
  #forgotten = 0;

  constructor(talk: Talk, tally: Tally) {
    this.#talk = talk;
    this.#tally = tally;
  }

  *events(isFull: () => boolean): Generator<object> {
    this.#tally.conversations++;
    this.#tally.leaves++;
    for (const given of turnsUntil(isFull, this.#talk)) {
      const turn = { ...given, isTakenBack: false };
      expectTurn(this.#tally, turn);
      const { asked, picture, atMs } = turn;
      if (picture !== undefined) this.#tally.expect(picture, { kind: "image", isShown: true });
      const image_urls = picture === undefined ? [] : [`data:image/png;base64,${picture.dataBase64}`];
      const args = { content: asked.text, image_urls };
      yield this.#event(atMs, "user", { action: "message", message: asked.text, args });
      if (isDamaged(this.#talk, this.#tally)) yield { id: "lost", timestamp: 7 };
      for (const step of turn.steps) yield* this.#step(step, atMs);
      const summary = compactionAfter(turn, this.#talk, this.#tally);
      if (summary === undefined) continue;
      const forgotten = { forgotten_events_start_id: this.#forgotten, forgotten_events_end_id: this.#count - 1 };
      this.#forgotten = this.#count;
      yield this.#event(atMs, "agent", { action: "condensation", args: { ...forgotten, summary: summary.text } });
    }
  }

  *#step(step: GeneratedStep, atMs: number): Generator<object> {
    const { thought, said, calls } = step;
    if (thought !== undefined) this.#tally.expect(thought, { kind: "thinking", isShown: true });
    if (said !== undefined) this.#tally.expect(said, { kind: "text", isShown: true, model: MODEL });
    this.#tally.expectUsage(step);
    const toolCalls = calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input.text } }));
    const message = {
      role: "assistant",
      content: said?.text ?? "",
      ...(thought === undefined ? {} : { reasoning_content: thought.text }),
      tool_calls: toolCalls,
    };
    const usage = { prompt_tokens: step.inputTokens, completion_tokens: step.outputTokens };
    const response = { id: `response ${step.number}`, model: MODEL, choices: [{ message }], usage };
    if (calls.length === 0)
      yield this.#event(atMs, "agent", {
        action: "message",
        args: { content: said?.text ?? "" },
        tool_call_metadata: { model_response: response },
      });
    const causes: number[] = [];
    for (const call of calls) {
      this.#tally.expectCall(call, true);
      causes.push(this.#count);
      const called = { function_name: call.name, tool_call_id: call.id, model_response: response };
      const args = { ...(JSON.parse(call.input.text) as object), thought: said?.text ?? "" };
      yield this.#event(atMs, "agent", { action: "run", args, tool_call_metadata: called });
    }
    for (const [index, call] of calls.entries()) yield* this.#observation(call, causes[index] ?? 0, atMs);
  }

  *#observation({ id, name, result, isError, picture }: GeneratedCall, cause: number, atMs: number): Generator<object> {
    if (result === undefined) return;
    const extras = picture === undefined ? {} : { image_urls: [`data:image/png;base64,${picture.dataBase64}`] };
    const called = { function_name: name, tool_call_id: id };
    const more = { observation: "run", cause, content: result.text, extras, success: !isError };
    yield this.#event(atMs, "agent", { ...more, tool_call_metadata: called });
  }

  #event(atMs: number, source: string, more: object): object {
    return { id: this.#count++, timestamp: timeOf(atMs), source, ...more };
  }
}
