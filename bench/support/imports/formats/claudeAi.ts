/** claude.ai's export: many conversations; one message of the model contains all that it did. No usage, no pictures. */

import { expectTurn, isDamaged, listOf, timeOf, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedTurn, type Talk } from "../talk.ts";

const MOST_STEPS = 2;
const MOST_TURNS = 16;
const LONG_IN_1000 = 4;
const LONG_TURNS = 600;
const NOBODY = "00000000-0000-4000-8000-000000000000";

export const claudeAi: GeneratedFormat = {
  name: "claudeAi",
  file: "conversations.json",
  write: (talk, tally, isFull) => listOf("[", conversations(talk, tally, isFull), "]"),
};

function* conversations(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (let number = 0; number === 0 || !isFull(); number++) {
    tally.conversations++;
    tally.leaves++;
    const messages: object[] = [];
    let last = NOBODY;
    const turns = talk.chance(LONG_IN_1000) ? LONG_TURNS : 1 + talk.below(MOST_TURNS);
    for (let left = turns; left > 0; left--) {
      const given = talk.turn(MOST_STEPS);
      const turn = left === 1 ? { ...given, isTakenBack: false } : given;
      messages.push(asked(turn, last, tally), answered(turn, tally));
      if (isDamaged(talk, tally)) messages.push({ uuid: `lost-${turn.number}`, sender: "robot" });
      if (!turn.isTakenBack) last = `answered-${turn.number}`;
    }
    const title = `Conversation ${number}`;
    tally.titles.push(title);
    const about = { uuid: `c${number}`, name: title, created_at: timeOf(0), updated_at: timeOf(0), model: MODEL };
    yield { ...about, account: { uuid: "account" }, chat_messages: messages };
  }
}

function asked(turn: GeneratedTurn, parent: string, tally: Tally): object {
  const isShown = expectTurn(tally, turn);
  const { file, asked: words } = turn;
  if (file !== undefined) tally.expect(file, { kind: "attachment", isShown });
  const attachments =
    file === undefined ? [] : [{ file_name: "a.txt", file_type: "txt", extracted_content: file.text }];
  const content = [{ type: "text", text: words.text, citations: [] }];
  return {
    uuid: `asked-${turn.number}`,
    parent_message_uuid: parent,
    sender: "human",
    text: words.text,
    content,
    created_at: timeOf(turn.atMs),
    attachments,
    files: [],
  };
}

function answered({ number, atMs, steps, isTakenBack }: GeneratedTurn, tally: Tally): object {
  const isShown = !isTakenBack;
  const content = steps.flatMap(({ thought, said, calls }): readonly object[] => {
    if (thought !== undefined) tally.expect(thought, { kind: "thinking", isShown });
    if (said !== undefined) tally.expect(said, { kind: "text", isShown, model: MODEL });
    // Pictures in results are not in exports.
    for (const call of calls) tally.expectCall(call, isShown, false);
    const input = (json: string): unknown => JSON.parse(json);
    return [
      ...(thought === undefined
        ? []
        : [{ type: "thinking", thinking: thought.text, summaries: [{ summary: "Looking" }] }]),
      ...(said === undefined ? [] : [{ type: "text", text: said.text, citations: [] }]),
      ...calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: input(call.input.text) })),
      ...calls.map((call) => ({
        type: "tool_result",
        tool_use_id: call.id,
        name: call.name,
        content: [{ type: "text", text: call.result?.text ?? "" }],
        is_error: call.isError,
      })),
    ];
  });
  return {
    uuid: `answered-${number}`,
    parent_message_uuid: `asked-${number}`,
    sender: "assistant",
    text: steps.map(({ said }) => said?.text ?? "").join("\n"),
    content,
    created_at: timeOf(atMs),
    attachments: [],
    files: [],
  };
}
