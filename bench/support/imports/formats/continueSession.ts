/** Continue's sessions: one list of items. It has no branches, no times, and no pictures in results. */

import {
  compactionAfter,
  expectTurn,
  isDamaged,
  listOf,
  turnsUntil,
  type GeneratedFormat,
} from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedStep, type Talk } from "../talk.ts";

const HEAD = { sessionId: "session", title: "The session", workspaceDirectory: "/shop", chatModelTitle: MODEL };

export const continueSession: GeneratedFormat = {
  name: "continue",
  file: "session.json",
  write: (talk, tally, isFull) => {
    tally.conversations++;
    tally.leaves++;
    tally.titles.push(HEAD.title);
    return listOf(`${JSON.stringify(HEAD).slice(0, -1)},"history":[`, items(talk, tally, isFull), "]}");
  },
};

function* items(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (const given of turnsUntil(isFull, talk)) {
    const turn = { ...given, isTakenBack: false };
    expectTurn(tally, turn, false);
    const { asked, picture, file } = turn;
    const content: object[] = [{ type: "text", text: asked.text }];
    if (picture !== undefined) {
      tally.expect(picture, { kind: "image", isShown: true });
      content.push({ type: "imageUrl", imageUrl: { url: `data:image/png;base64,${picture.dataBase64}` } });
    }
    if (file !== undefined) tally.expect(file, { kind: "attachment", isShown: true });
    const contextItems = file === undefined ? [] : [{ name: "a.ts", description: "src/a.ts", content: file.text }];
    yield { message: { role: "user", content, id: `asked-${turn.number}` }, contextItems };
    if (isDamaged(talk, tally)) yield { message: { role: "robot", content: "lost" }, contextItems: [] };
    let last: object | undefined;
    for (const step of turn.steps) {
      for (const item of itemsOf(step, tally)) {
        if (last !== undefined) yield last;
        last = item;
      }
    }
    const summary = compactionAfter(turn, talk, tally);
    if (last !== undefined) yield summary === undefined ? last : { ...last, conversationSummary: summary.text };
  }
}

function* itemsOf({ thought, said, calls, ...step }: GeneratedStep, tally: Tally): Generator<object> {
  if (thought !== undefined) {
    tally.expect(thought, { kind: "thinking", isShown: true });
    yield { message: { role: "thinking", content: thought.text }, contextItems: [] };
  }
  if (said !== undefined) tally.expect(said, { kind: "text", isShown: true, model: MODEL });
  for (const call of calls) tally.expectCall(call, true, false);
  tally.expectUsage(step);
  const toolCalls = calls.map(callOf);
  const usage = { promptTokens: step.inputTokens, completionTokens: step.outputTokens };
  const message = {
    role: "assistant",
    content: said?.text ?? "",
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    usage,
  };
  yield { message, contextItems: [], toolCallStates: calls.map(stateOf) };
  for (const { id, result } of calls)
    if (result !== undefined)
      yield { message: { role: "tool", toolCallId: id, content: result.text }, contextItems: [] };
}

function callOf({ id, name, input }: GeneratedCall): object {
  return { id, type: "function", function: { name, arguments: input.text } };
}

function stateOf(call: GeneratedCall): object {
  const { id, result, isError } = call;
  const output = result === undefined ? {} : { output: [{ name: call.name, content: result.text }] };
  const status = result === undefined ? "canceled" : isError ? "errored" : "done";
  return {
    toolCallId: id,
    toolCall: callOf(call),
    status,
    parsedArgs: JSON.parse(call.input.text) as unknown,
    ...output,
  };
}
