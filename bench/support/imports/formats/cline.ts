/** Cline's `api_conversation_history.json`: one list of messages of the Messages API. It has no branches and no title. */

import {
  compactionAfter,
  expectTurn,
  isDamaged,
  listOf,
  TURNS_PER_COMPACTION,
  turnsUntil,
  type GeneratedFormat,
} from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedStep, type Talk } from "../talk.ts";

export const cline: GeneratedFormat = {
  name: "cline",
  file: "api_conversation_history.json",
  write: (talk, tally, isFull) => {
    tally.conversations++;
    tally.leaves++;
    return listOf("[", messages(talk, tally, isFull), "]");
  },
};

function* messages(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (const given of turnsUntil(isFull, talk)) {
    const turn = { ...given, isTakenBack: false };
    expectTurn(tally, turn);
    const { asked, picture, file, atMs } = turn;
    const content: object[] = [{ type: "text", text: `<task>\n${asked.text}\n</task>` }];
    if (picture !== undefined) {
      tally.expect(picture, { kind: "image", isShown: true });
      content.push(pictureOf(picture.dataBase64));
    }
    if (file !== undefined) {
      tally.expect(file, { kind: "attachment", isShown: true });
      const source = { type: "text", media_type: "text/plain", data: file.text };
      content.push({ type: "document", title: "a.ts", source });
    }
    const part = Math.floor(turn.number / TURNS_PER_COMPACTION);
    const condenseParent = `part ${part}`;
    yield { role: "user", content, ts: atMs, condenseParent };
    if (isDamaged(talk, tally)) yield { role: "robot", content: "lost" };
    for (const step of turn.steps)
      for (const message of messagesOf(step, atMs, tally)) yield { ...message, condenseParent };
    const summary = compactionAfter(turn, talk, tally);
    if (summary === undefined) continue;
    const about = { ts: atMs, isSummary: true, condenseId: condenseParent, condenseParent: `part ${part + 1}` };
    yield { role: "user", content: [{ type: "text", text: summary.text }], ...about };
  }
}

function* messagesOf({ thought, said, calls, ...step }: GeneratedStep, ts: number, tally: Tally): Generator<object> {
  if (thought !== undefined) tally.expect(thought, { kind: "thinking", isShown: true });
  if (said !== undefined) tally.expect(said, { kind: "text", isShown: true, model: MODEL });
  for (const call of calls) tally.expectCall(call, true);
  tally.expectUsage(step);
  const content = [
    ...(thought === undefined ? [] : [{ type: "thinking", thinking: thought.text, signature: "sealed" }]),
    ...(said === undefined ? [] : [{ type: "text", text: said.text }]),
    ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input: JSON.parse(input.text) as unknown })),
  ];
  const tokens = { prompt: step.inputTokens, completion: step.outputTokens, cached: 0 };
  yield { role: "assistant", content, ts, modelInfo: { modelId: MODEL }, metrics: { tokens, cost: 0.01 } };
  if (calls.some(({ result }) => result !== undefined)) yield { role: "user", content: calls.flatMap(resultOf), ts };
}

function resultOf({ id, result, isError, picture }: GeneratedCall): readonly object[] {
  if (result === undefined) return [];
  const pictures = picture === undefined ? [] : [pictureOf(picture.dataBase64)];
  const content = [{ type: "text", text: result.text }, ...pictures];
  return [{ type: "tool_result", tool_use_id: id, content, is_error: isError }];
}

function pictureOf(data: string): object {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}
