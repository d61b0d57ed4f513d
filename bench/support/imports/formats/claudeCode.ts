/** Claude Code's sessions: a line for each piece of a message, with the id of the line before it. */

import { compactionAfter, expectTurn, linesOf, timeOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedStep, type GeneratedTurn, type Talk, type Words } from "../talk.ts";

const SUB_AGENTS_IN_1000 = 10;
const COPIES_IN_1000 = 5;

export const claudeCode: GeneratedFormat = {
  name: "claudeCode",
  file: "session.jsonl",
  write: (talk, tally, isFull) => linesOf(talk, tally, new Session(talk, tally).lines(isFull)),
};

class Session {
  readonly #talk: Talk;
  readonly #tally: Tally;
  #count = 0;
  #last: string | null = null;

  constructor(talk: Talk, tally: Tally) {
    this.#talk = talk;
    this.#tally = tally;
  }

  *lines(isFull: () => boolean): Generator<object> {
    this.#tally.conversations++;
    this.#tally.leaves++;
    this.#tally.titles.push("The session");
    yield { type: "custom-title", customTitle: "The session", sessionId: "session" };
    for (const turn of turnsUntil(isFull, this.#talk)) {
      const before = this.#last;
      const isShown = expectTurn(this.#tally, turn);
      yield { type: "file-history-snapshot", messageId: `m${turn.number}`, snapshot: { trackedFileBackups: {} } };
      yield* this.#question(turn, isShown);
      for (const step of turn.steps) yield* this.#step(step, turn, isShown);
      if (turn.isTakenBack) this.#last = before;
      const summary = compactionAfter(turn, this.#talk, this.#tally);
      if (summary !== undefined) yield* this.#compaction(summary, turn.atMs);
    }
  }

  *#question({ asked, picture, file, atMs }: GeneratedTurn, isShown: boolean): Generator<object> {
    const content: object[] = [{ type: "text", text: asked.text }];
    if (picture !== undefined) {
      this.#tally.expect(picture, { kind: "image", isShown });
      content.push(pictureOf(picture.dataBase64));
    }
    const line = this.#line(atMs, { type: "user", message: { role: "user", content } });
    yield line;
    if (this.#talk.chance(COPIES_IN_1000)) yield line; // by a resumed session
    if (file === undefined) return;
    this.#tally.expect(file, { kind: "attachment", isShown });
    this.#tally.messages++;
    const attachment = {
      type: "file",
      filename: "/shop/a.ts",
      content: { type: "text", file: { content: file.text } },
    };
    yield this.#line(atMs, { type: "attachment", attachment });
  }

  *#step(step: GeneratedStep, { atMs }: GeneratedTurn, isShown: boolean): Generator<object> {
    const { thought, said, calls } = step;
    const blocks: object[] = [];
    if (thought !== undefined) {
      this.#tally.expect(thought, { kind: "thinking", isShown });
      blocks.push({ type: "thinking", thinking: thought.text, signature: "c2VhbGVk".repeat(40) });
    }
    if (said !== undefined) {
      this.#tally.expect(said, { kind: "text", isShown, model: MODEL });
      blocks.push({ type: "text", text: said.text });
    }
    for (const call of calls) {
      this.#tally.expectCall(call, isShown);
      const input: unknown = JSON.parse(call.input.text);
      blocks.push({ type: "tool_use", id: call.id, name: call.name, input });
    }
    this.#tally.expectUsage(step);
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: step.inputTokens - 10,
      cache_creation_input_tokens: 7,
      output_tokens: step.outputTokens,
    };
    const places: (string | null)[] = [];
    for (const block of blocks) {
      const message = {
        id: `msg_${step.number}`,
        type: "message",
        role: "assistant",
        model: MODEL,
        content: [block],
        usage,
      };
      yield this.#line(atMs, { type: "assistant", requestId: `req_${step.number}`, message });
      places.push(this.#last);
    }
    const places_ = places.slice(places.length - calls.length);
    for (const [index, call] of calls.entries()) {
      if (this.#talk.chance(SUB_AGENTS_IN_1000)) yield* this.#subAgent(atMs);
      if (call.result !== undefined) yield this.#result(atMs, call, call.result.text, places_[index] ?? this.#last);
    }
  }

  #result(atMs: number, { id, isError, picture }: GeneratedCall, text: string, parent: string | null): object {
    const content = picture === undefined ? text : [{ type: "text", text }, pictureOf(picture.dataBase64)];
    const block = { type: "tool_result", tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
    const more = this.#talk.chance(500) ? { toolUseResult: { stdout: text, stderr: "", interrupted: false } } : {};
    return this.#line(atMs, { type: "user", message: { role: "user", content: [block] }, ...more }, parent);
  }

  /** Beside the session's own lines. */
  *#subAgent(atMs: number): Generator<object> {
    const before = this.#last;
    const [task, answer] = [this.#talk.prose(100, 900), this.#talk.prose(100, 2_000)];
    this.#tally.expect(task, { kind: "attachment", isShown: false });
    this.#tally.expect(answer, { kind: "text", isShown: false });
    this.#tally.messages += 2;
    this.#tally.leaves++;
    const aside = { isSidechain: true };
    yield this.#line(atMs, { type: "user", message: { role: "user", content: task.text }, ...aside }, null);
    const message = {
      id: `aside_${this.#count}`,
      role: "assistant",
      model: MODEL,
      content: [{ type: "text", text: answer.text }],
    };
    yield this.#line(atMs, { type: "assistant", message, ...aside });
    this.#last = before;
  }

  *#compaction(summary: Words, atMs: number): Generator<object> {
    const more = { subtype: "compact_boundary", logicalParentUuid: this.#last };
    yield this.#line(atMs, { type: "system", content: "Conversation compacted", ...more }, null);
    yield this.#line(atMs, { type: "user", isCompactSummary: true, message: { role: "user", content: summary.text } });
  }

  #line(atMs: number, more: object, parentUuid = this.#last): object {
    const uuid = `line-${this.#count++}`;
    this.#last = uuid;
    const about = { sessionId: "session", version: "2.1.0", cwd: "/shop", gitBranch: "main", userType: "external" };
    return { parentUuid, isSidechain: false, ...about, uuid, timestamp: timeOf(atMs), ...more };
  }
}

function pictureOf(data: string): object {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}
