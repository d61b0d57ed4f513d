/** Copilot CLI's sessions: events, those of sub-agents among the others. */

import { compactionAfter, expectTurn, linesOf, timeOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedStep, type Talk } from "../talk.ts";

const SUB_AGENTS_IN_1000 = 10;

export const copilotCli: GeneratedFormat = {
  name: "copilotCli",
  file: "events.jsonl",
  write: (talk, tally, isFull) => linesOf(talk, tally, new Session(talk, tally).events(isFull)),
};

class Session {
  readonly #talk: Talk;
  readonly #tally: Tally;
  #count = 0;

  constructor(talk: Talk, tally: Tally) {
    this.#talk = talk;
    this.#tally = tally;
  }

  *events(isFull: () => boolean): Generator<object> {
    this.#tally.conversations++;
    this.#tally.leaves++;
    this.#tally.titles.push("The session");
    yield this.#event(0, "session.start", { sessionId: "session", version: 1, selectedModel: MODEL });
    yield this.#event(0, "session.title_changed", { title: "The session" });
    for (const turn of turnsUntil(isFull, this.#talk)) {
      const isShown = expectTurn(this.#tally, turn);
      const attachments: object[] = [];
      if (turn.picture !== undefined) {
        this.#tally.expect(turn.picture, { kind: "image", isShown });
        attachments.push({ type: "blob", mimeType: "image/png", data: turn.picture.dataBase64 });
      }
      if (turn.file !== undefined) {
        this.#tally.expect(turn.file, { kind: "attachment", isShown });
        attachments.push({ type: "selection", displayName: "a.ts", text: turn.file.text });
      }
      const data = { content: turn.asked.text, attachments, transformedContent: `${turn.asked.text}\n` };
      const asked = this.#event(turn.atMs, "user.message", data);
      yield asked;
      for (const step of turn.steps) yield* this.#step(step, turn.atMs, isShown);
      if (turn.isTakenBack) yield this.#event(turn.atMs, "session.snapshot_rewind", { upToEventId: asked.id });
      const summary = compactionAfter(turn, this.#talk, this.#tally);
      if (summary === undefined) continue;
      yield this.#event(turn.atMs, "session.compaction_start", {});
      yield this.#event(turn.atMs, "session.compaction_complete", { success: true, summaryContent: summary.text });
    }
  }

  *#step({ thought, said, calls, ...step }: GeneratedStep, atMs: number, isShown: boolean): Generator<object> {
    const request = `request ${step.number}`;
    yield this.#event(atMs, "assistant.turn_start", { turnId: String(step.number) });
    if (thought !== undefined) {
      this.#tally.expect(thought, { kind: "thinking", isShown });
      yield this.#event(atMs, "assistant.reasoning", { reasoningId: request, content: thought.text });
    }
    if (said !== undefined) this.#tally.expect(said, { kind: "text", isShown, model: MODEL });
    const toolRequests = calls.map(({ id, name, input }) => {
      const given: unknown = JSON.parse(input.text);
      return { toolCallId: id, name, arguments: given, type: "function" };
    });
    for (const call of calls) this.#tally.expectCall(call, isShown);
    yield this.#event(atMs, "assistant.message", {
      messageId: `message ${step.number}`,
      apiCallId: request,
      content: said?.text ?? "",
      ...(thought === undefined ? {} : { reasoningText: thought.text, reasoningOpaque: "c2VhbGVk".repeat(100) }),
      toolRequests,
      outputTokens: step.outputTokens,
    });
    this.#tally.expectUsage(step);
    const { inputTokens, outputTokens } = step;
    yield this.#event(atMs, "assistant.usage", { apiCallId: request, inputTokens, outputTokens, cacheReadTokens: 9 });
    for (const { id, name, input } of calls)
      yield this.#event(atMs, "tool.execution_start", { toolCallId: id, toolName: name, arguments: input.text });
    for (const call of calls) {
      if (this.#talk.chance(SUB_AGENTS_IN_1000)) yield* this.#subAgent(call.id, atMs);
      yield* this.#result(call, atMs);
    }
    yield this.#event(atMs, "assistant.turn_end", { turnId: String(step.number) });
  }

  *#result({ id, result, isError, picture }: GeneratedCall, atMs: number): Generator<object> {
    if (result === undefined) return;
    const image = picture && { type: "image", mimeType: "image/png", data: picture.dataBase64 };
    const files = image === undefined ? {} : { binaryResultsForLlm: [image], contents: [image] };
    const isFailed = isError && image === undefined;
    const given = isFailed
      ? { success: false, error: { message: result.text, code: "failure" } }
      : { success: true, result: { content: result.text, detailedContent: result.text, ...files } };
    yield this.#event(atMs, "tool.execution_complete", { toolCallId: id, ...given });
  }

  *#subAgent(agentId: string, atMs: number): Generator<object> {
    const [task, answer] = [this.#talk.prose(100, 900), this.#talk.prose(100, 2_000)];
    this.#tally.expect(task, { kind: "attachment", isShown: false });
    this.#tally.expect(answer, { kind: "text", isShown: false, model: MODEL });
    this.#tally.messages += 2;
    this.#tally.leaves++;
    yield this.#event(atMs, "user.message", { content: task.text, attachments: [] }, { agentId });
    yield this.#event(atMs, "assistant.message", { messageId: agentId, content: answer.text }, { agentId });
  }

  #event(atMs: number, type: string, data: object, more: object = {}): { readonly id: string } {
    const event = { type, data, id: `event-${this.#count++}`, timestamp: timeOf(atMs), ...more };
    return event;
  }
}
