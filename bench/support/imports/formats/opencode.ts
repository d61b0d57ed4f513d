/** opencode's sessions as it exports them: a message holds the steps of an answer. It has no branches. */

import {
  compactionAfter,
  expectTurn,
  isDamaged,
  listOf,
  turnsUntil,
  type GeneratedFormat,
} from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedTurn, type Picture, type Talk } from "../talk.ts";

const SESSION = { id: "ses_1", title: "The session", directory: "/shop", time: { created: 1_000, updated: 2_000 } };

export const opencode: GeneratedFormat = {
  name: "opencode",
  file: "session.json",
  write: (talk, tally, isFull) => {
    tally.conversations++;
    tally.leaves++;
    tally.titles.push(SESSION.title);
    return listOf(`{"info":${JSON.stringify(SESSION)},"messages":[`, messages(talk, tally, isFull), "]}");
  },
};

function* messages(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (const given of turnsUntil(isFull, talk)) {
    const turn = { ...given, isTakenBack: false };
    expectTurn(tally, turn);
    const { asked, picture, file, atMs } = turn;
    const parts: object[] = [{ type: "text", text: asked.text }];
    if (picture !== undefined) {
      tally.expect(picture, { kind: "image", isShown: true });
      parts.push(fileOf(picture));
    }
    if (file !== undefined) {
      tally.expect(file, { kind: "attachment", isShown: true });
      parts.push({ type: "text", text: file.text, synthetic: true });
    }
    const about = { sessionID: "ses_1", time: { created: atMs, completed: atMs + 900 } };
    yield { info: { id: `asked ${turn.number}`, role: "user", ...about }, parts };
    if (isDamaged(talk, tally)) yield { info: { id: "lost", role: "robot", ...about }, parts: [] };
    const answer = { id: `answered ${turn.number}`, role: "assistant", modelID: MODEL, providerID: "anthropic" };
    yield { info: { ...answer, ...about }, parts: stepsOf(turn, tally) };
    const summary = compactionAfter(turn, talk, tally);
    if (summary === undefined) continue;
    const id = `compaction ${turn.number}`;
    yield { info: { id, role: "user", ...about }, parts: [{ type: "compaction", auto: true }] };
    const info = { ...answer, ...about, id: `summary ${turn.number}`, summary: true, parentID: id };
    yield { info, parts: [{ type: "text", text: summary.text }] };
  }
}

function stepsOf({ steps }: GeneratedTurn, tally: Tally): readonly object[] {
  return steps.flatMap(({ thought, said, calls, ...step }) => {
    if (thought !== undefined) tally.expect(thought, { kind: "thinking", isShown: true });
    if (said !== undefined) tally.expect(said, { kind: "text", isShown: true, model: MODEL });
    for (const call of calls) tally.expectCall(call, true);
    tally.expectUsage(step);
    const tokens = { input: step.inputTokens, output: step.outputTokens, reasoning: 0, cache: { read: 0, write: 0 } };
    return [
      { type: "step-start", snapshot: "a1b2c3" },
      ...(thought === undefined ? [] : [{ type: "reasoning", text: thought.text }]),
      ...(said === undefined ? [] : [{ type: "text", text: said.text }]),
      ...calls.map(toolOf),
      { type: "step-finish", reason: "stop", cost: 0.01, tokens },
      { type: "patch", hash: "a1b2c3", files: ["a.ts"] },
    ];
  });
}

function toolOf({ id, name, input, result, isError, picture }: GeneratedCall): object {
  const given: unknown = JSON.parse(input.text);
  const metadata = { output: result?.text ?? "" };
  const failed = isError && picture === undefined;
  const state =
    result === undefined
      ? { status: "running", input: given }
      : {
          status: failed ? "error" : "completed",
          input: given,
          [failed ? "error" : "output"]: result.text,
          title: name,
          metadata,
          time: { start: 1_000, end: 1_300 },
          ...(picture === undefined ? {} : { attachments: [fileOf(picture)] }),
        };
  return { type: "tool", callID: id, tool: name, state };
}

function fileOf({ dataBase64 }: Picture): object {
  return { type: "file", mime: "image/png", filename: "a.png", url: `data:image/png;base64,${dataBase64}` };
}
