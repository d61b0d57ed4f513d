/** Gemini CLI's chats as lines: a message stands once more with each change of it. */

import { compactionAfter, expectTurn, linesOf, timeOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { type GeneratedCall, type GeneratedStep, type GeneratedTurn, type Talk } from "../talk.ts";

const GEMINI = "gemini-3-pro";

export const geminiCli: GeneratedFormat = {
  name: "geminiCli",
  file: "session.jsonl",
  write: (talk, tally, isFull) => linesOf(talk, tally, records(talk, tally, isFull)),
};

function* records(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  tally.conversations++;
  tally.leaves++;
  tally.titles.push("The session");
  yield { sessionId: "session", projectHash: "shop", startTime: timeOf(0), lastUpdated: timeOf(0), kind: "main" };
  yield { $set: { summary: "The session" } };
  for (const turn of turnsUntil(isFull, talk)) {
    const isShown = expectTurn(tally, turn);
    const id = `asked ${turn.number}`;
    yield { id, timestamp: timeOf(turn.atMs), type: "user", content: questionOf(turn, tally, isShown) };
    for (const step of turn.steps) yield* versionsOf(step, turn, tally);
    yield { $set: { lastUpdated: timeOf(turn.atMs) } };
    if (turn.isTakenBack) yield { $rewindTo: id };
    const summary = compactionAfter(turn, talk, tally);
    if (summary === undefined) continue;
    const content = [{ text: `<state_snapshot>\n${summary.text}\n</state_snapshot>` }];
    const snapshot = { id: `summary ${turn.number}`, timestamp: timeOf(turn.atMs), type: "user", content };
    yield { $set: { messages: [snapshot] } };
  }
}

function questionOf({ asked, picture, file }: GeneratedTurn, tally: Tally, isShown: boolean): readonly object[] {
  const parts: object[] = [{ text: asked.text }];
  if (picture !== undefined) {
    tally.expect(picture, { kind: "image", isShown });
    parts.push({ inlineData: { mimeType: "image/png", data: picture.dataBase64 } });
  }
  if (file !== undefined) {
    tally.expect(file, { kind: "attachment", isShown });
    const head = "\n--- Content from referenced files ---\nContent from @a.ts:\n";
    parts.push({ text: `${head}${file.text}\n--- End of content ---` });
  }
  return parts;
}

function* versionsOf(
  { thought, said, calls, ...step }: GeneratedStep,
  turn: GeneratedTurn,
  tally: Tally,
): Generator<object> {
  const isShown = !turn.isTakenBack;
  const timestamp = timeOf(turn.atMs);
  if (thought !== undefined) tally.expect(thought, { kind: "thinking", isShown });
  if (said !== undefined) tally.expect(said, { kind: "text", isShown, model: GEMINI });
  for (const call of calls) tally.expectCall(call, isShown);
  tally.expectUsage(step);
  const made = {
    id: `answer ${step.number}`,
    timestamp,
    type: "gemini",
    model: GEMINI,
    content: said?.text ?? "",
    thoughts: thought === undefined ? [] : [{ subject: "Looking", description: thought.text, timestamp }],
    tokens: { input: step.inputTokens, output: step.outputTokens - 5, cached: 9, thoughts: 5, tool: 0 },
  };
  // Before it was complete, a message without words or calls had no usage.
  if (calls.length > 0) {
    const asked = calls.map(({ id, name, input }) => ({ id, name, args: argsOf(input.text), status: "executing" }));
    yield { ...made, toolCalls: asked };
  }
  yield { ...made, toolCalls: calls.map((call) => doneCall(call, timestamp)) };
}

function argsOf(json: string): unknown {
  return JSON.parse(json);
}

function doneCall({ id, name, input, result, isError, picture }: GeneratedCall, timestamp: string): object {
  const call = { id, name, args: argsOf(input.text), timestamp };
  if (result === undefined) return { ...call, status: "executing", result: null };
  const response = { functionResponse: { id, name, response: { [isError ? "error" : "output"]: result.text } } };
  const data = picture === undefined ? [] : [{ inlineData: { mimeType: "image/png", data: picture.dataBase64 } }];
  return {
    ...call,
    status: isError ? "error" : "success",
    result: [response, ...data],
    resultDisplay: "Done",
    renderOutputAsMarkdown: true,
  };
}
