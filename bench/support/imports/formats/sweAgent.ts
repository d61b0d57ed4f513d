/** SWE-agent's `.traj`: messages, each call answered by an observation. It has no branches, times, usage or title. */

import { expectTurn, isDamaged, listOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import type { GeneratedCall, GeneratedStep, Talk } from "../talk.ts";

export const sweAgent: GeneratedFormat = {
  name: "sweAgent",
  file: "task.traj",
  write: (talk, tally, isFull) => {
    tally.conversations++;
    tally.leaves++;
    return listOf('{"environment":"e","trajectory":[],"info":{},"history":[', messages(talk, tally, isFull), "]}");
  },
};

function* messages(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (const given of turnsUntil(isFull, talk)) {
    const turn = { ...given, isTakenBack: false };
    expectTurn(tally, turn, false);
    yield {
      role: "user",
      content: [{ type: "text", text: turn.asked.text }],
      agent: "main",
      message_type: "observation",
    };
    if (isDamaged(talk, tally)) yield { role: "robot", content: "lost", agent: "main" };
    for (const step of turn.steps) yield* messagesOf(step, tally);
  }
}

function* messagesOf({ thought, said, calls }: GeneratedStep, tally: Tally): Generator<object> {
  if (thought !== undefined) tally.expect(thought, { kind: "thinking", isShown: true });
  if (said !== undefined) tally.expect(said, { kind: "text", isShown: true });
  for (const call of calls) tally.expectCall(call, true);
  yield {
    role: "assistant",
    content: said?.text ?? "",
    thought: said?.text ?? "",
    action: calls.map(({ name }) => name).join("\n"),
    agent: "main",
    ...(thought === undefined ? {} : { thinking_blocks: [{ type: "thinking", thinking: thought.text }] }),
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: input.text },
    })),
  };
  for (const call of calls) if (call.result !== undefined) yield resultOf(call, call.result.text);
}

function resultOf({ id, picture }: GeneratedCall, text: string): object {
  const url = picture && `data:image/png;base64,${picture.dataBase64}`;
  const pictures = url === undefined ? [] : [{ type: "image_url", image_url: { url } }];
  return { role: "tool", content: [{ type: "text", text }, ...pictures], agent: "main", tool_call_ids: [id] };
}
