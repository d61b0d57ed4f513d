/** An export of the editor's own chat: what was shown of an answer, and the rounds that were sent. It has no branches. */

import { expectTurn, listOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedCall, type GeneratedTurn, type Talk } from "../talk.ts";

export const editorChat: GeneratedFormat = {
  name: "editorChat",
  file: "chat.json",
  write: (talk, tally, isFull) => {
    tally.conversations++;
    tally.leaves++;
    tally.titles.push("The session");
    return listOf('{"customTitle":"The session","requests":[', requests(talk, tally, isFull), "]}");
  },
};

function* requests(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (const given of turnsUntil(isFull, talk)) {
    const turn = { ...given, isTakenBack: false };
    expectTurn(tally, turn);
    const { asked, picture, file, atMs } = turn;
    const variables: object[] = [];
    if (picture !== undefined) {
      tally.expect(picture, { kind: "image", isShown: true });
      variables.push({ kind: "image", name: "shot", mimeType: "image/png", value: picture.dataBase64 });
    }
    if (file !== undefined) {
      tally.expect(file, { kind: "attachment", isShown: true });
      variables.push({ kind: "paste", name: "a.ts", code: file.text });
    }
    yield {
      requestId: `request-${turn.number}`,
      message: { text: asked.text, parts: [{ kind: "text", text: asked.text }] },
      variableData: { variables },
      timestamp: atMs,
      modelId: `copilot/${MODEL}`,
      ...answerOf(turn, tally),
    };
  }
}

function answerOf({ steps }: GeneratedTurn, tally: Tally): object {
  const response: object[] = [];
  const toolCallRounds: object[] = [];
  const toolCallResults: Record<string, object> = {};
  for (const { thought, said, calls } of steps) {
    if (thought !== undefined) tally.expect(thought, { kind: "thinking", isShown: true });
    if (said !== undefined) tally.expect(said, { kind: "text", isShown: true, model: MODEL });
    for (const call of calls) tally.expectCall(call, true);
    if (thought !== undefined) response.push({ kind: "thinking", value: thought.text });
    if (said !== undefined) response.push({ value: said.text });
    for (const { id, name } of calls)
      response.push({
        kind: "toolInvocationSerialized",
        toolId: name,
        toolCallId: id,
        pastTenseMessage: { value: "Ran" },
      });
    for (const call of calls)
      if (call.result !== undefined) toolCallResults[`${call.id}__vscode-1`] = resultOf(call, call.result.text);
    toolCallRounds.push({
      response: said?.text ?? "",
      ...(thought === undefined ? {} : { thinking: { text: thought.text } }),
      toolCalls: calls.map(({ id, name, input }) => ({ id: `${id}__vscode-1`, name, arguments: input.text })),
    });
  }
  const last = steps.at(-1) ?? { inputTokens: 0, outputTokens: 0 };
  tally.expectUsage(last);
  const metadata = { promptTokens: last.inputTokens, outputTokens: last.outputTokens, toolCallRounds, toolCallResults };
  return { response, result: { timings: { totalElapsed: 0 }, metadata } };
}

function resultOf({ picture }: GeneratedCall, text: string): object {
  const data = picture === undefined ? [] : [{ mimeType: "image/png", data: { $base64: picture.dataBase64 } }];
  return { $mid: 20, content: [{ $mid: 21, value: text }, ...data] };
}
