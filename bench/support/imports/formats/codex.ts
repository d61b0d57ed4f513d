/** Codex's rollouts: items of the Responses API, and events that say the same once more. */

import { compactionAfter, expectTurn, linesOf, timeOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedStep, type GeneratedTurn, type Talk } from "../talk.ts";

const SEALED_LENGTH = 1_100;

export const codex: GeneratedFormat = {
  name: "codex",
  file: "rollout-2026-05-04.jsonl",
  write: (talk, tally, isFull) => linesOf(talk, tally, records(talk, tally, isFull)),
};

function* records(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  tally.conversations++;
  tally.leaves++;
  yield record(0, "session_meta", { id: "session", timestamp: timeOf(0), cwd: "/shop", source: "cli" });
  tally.titles.push("The session");
  yield event(0, "thread_name_updated", { thread_name: "The session" });
  let total = 0;
  for (const turn of turnsUntil(isFull, talk)) {
    const isShown = expectTurn(tally, turn);
    yield* questionOf(turn, tally, isShown);
    for (const step of turn.steps) {
      total += step.inputTokens;
      yield* stepOf(step, { turn, tally, total });
      if (step.calls.some(({ result }) => result === undefined)) yield* stop(turn, talk, tally);
    }
    if (turn.isTakenBack) yield event(turn.atMs, "thread_rolled_back", { num_turns: 1 });
    const summary = compactionAfter(turn, talk, tally);
    if (summary === undefined) continue;
    const kept = userItem([{ type: "input_text", text: turn.asked.text }]);
    yield record(turn.atMs, "compacted", { message: summary.text, replacement_history: [kept] });
  }
}

function* questionOf(turn: GeneratedTurn, tally: Tally, isShown: boolean): Generator<object> {
  const { atMs, asked, picture, file } = turn;
  yield record(atMs, "turn_context", { cwd: "/shop", model: MODEL, approval_policy: "on-request" });
  if (file !== undefined) {
    // Before the words that begin the turn: it is not taken back with them.
    tally.expect(file, { kind: "attachment", isShown: true });
    tally.messages++;
    yield item(atMs, userItem([{ type: "input_text", text: `# AGENTS.md instructions for /shop\n\n${file.text}` }]));
  }
  const content: object[] = [{ type: "input_text", text: asked.text }];
  if (picture !== undefined) {
    tally.expect(picture, { kind: "image", isShown });
    content.push({ type: "input_image", image_url: `data:image/png;base64,${picture.dataBase64}` });
  }
  yield item(atMs, userItem(content));
  yield event(atMs, "user_message", { message: asked.text, images: [] });
}

function* stepOf(
  step: GeneratedStep,
  { turn, tally, total }: { readonly turn: GeneratedTurn; readonly tally: Tally; readonly total: number },
): Generator<object> {
  const { thought, said, calls, inputTokens, outputTokens } = step;
  const { atMs } = turn;
  const isShown = !turn.isTakenBack;
  if (thought !== undefined) {
    tally.expect(thought, { kind: "thinking", isShown });
    yield event(atMs, "agent_reasoning", { text: thought.text });
    const sealed = thought.text
      .repeat(8)
      .replace(/mark_|[^a-z]/g, "")
      .slice(0, SEALED_LENGTH);
    yield item(atMs, {
      type: "reasoning",
      summary: [{ type: "summary_text", text: thought.text }],
      encrypted_content: sealed,
    });
  }
  if (said !== undefined) {
    tally.expect(said, { kind: "text", isShown, model: MODEL });
    yield event(atMs, "agent_message", { message: said.text });
    yield item(atMs, { type: "message", role: "assistant", content: [{ type: "output_text", text: said.text }] });
  }
  for (const call of calls) {
    tally.expectCall(call, isShown);
    yield item(atMs, { type: "function_call", name: call.name, arguments: call.input.text, call_id: call.id });
  }
  tally.expectUsage(step);
  const usage = { input_tokens: inputTokens, cached_input_tokens: 100, output_tokens: outputTokens };
  yield event(atMs, "token_count", {
    info: { total_token_usage: { input_tokens: total }, last_token_usage: usage },
    rate_limits: { primary: { used_percent: 3.5, window_minutes: 300 } },
  });
  for (const { id, result, picture, isError } of calls) {
    if (result === undefined) continue;
    const pictures =
      picture === undefined ? [] : [{ type: "input_image", image_url: `data:image/png;base64,${picture.dataBase64}` }];
    const output =
      pictures.length > 0
        ? [{ type: "input_text", text: result.text }, ...pictures]
        : isError
          ? { content: result.text, success: false }
          : result.text;
    yield item(atMs, { type: "function_call_output", call_id: id, output });
  }
}

/** The user stopped a call, and went on. */
function* stop({ atMs, isTakenBack }: GeneratedTurn, talk: Talk, tally: Tally): Generator<object> {
  const note = talk.prose(20, 90);
  tally.expect(note, { kind: "attachment", isShown: !isTakenBack });
  tally.messages++;
  yield event(atMs, "turn_aborted", { reason: "interrupted" });
  yield item(atMs, userItem([{ type: "input_text", text: `<turn_aborted>\n${note.text}\n</turn_aborted>` }]));
}

function record(atMs: number, type: string, payload: object): object {
  return { timestamp: timeOf(atMs), type, payload };
}

function item(atMs: number, payload: object): object {
  return record(atMs, "response_item", payload);
}

function event(atMs: number, type: string, more: object): object {
  return record(atMs, "event_msg", { type, ...more });
}

function userItem(content: readonly object[]): object {
  return { type: "message", role: "user", content };
}
