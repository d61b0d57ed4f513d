/** aider's history: words of the user, of the model and of aider, told by the beginnings of lines. It has no more. */

import { timeOf, turnsUntil, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type Talk } from "../talk.ts";

const TURNS_PER_CHAT = 40;

export const aider: GeneratedFormat = { name: "aider", file: ".aider.chat.history.md", write: chats };

function* chats(talk: Talk, tally: Tally, isFull: () => boolean): Generator<string> {
  tally.conversations++;
  tally.leaves++;
  for (const { number, atMs, asked, steps } of turnsUntil(isFull, talk)) {
    if (number % TURNS_PER_CHAT === 0) {
      yield `\n# aider chat started at ${timeOf(atMs).slice(0, 19).replace("T", " ")}\n\n> Model: ${MODEL} with diff edit format  \n\n`;
      tally.messages += 2;
    }
    tally.expect(asked, { kind: "text", isShown: true });
    yield `${asked.text
      .split("\n")
      .map((line) => `#### ${line}  \n`)
      .join("")}\n`;
    tally.messages++;
    const last = steps.at(-1);
    if (last?.said === undefined) continue;
    tally.expect(last.said, { kind: "text", isShown: true, model: MODEL });
    const { inputTokens, outputTokens } = { inputTokens: 1_200, outputTokens: last.outputTokens };
    tally.expectUsage({ inputTokens, outputTokens });
    tally.messages += 2;
    // Lines of code end without the blanks that aider's own have.
    const edit = talk.code(300, 6_000);
    tally.expect(edit, { kind: "text", isShown: true, model: MODEL });
    const code = edit.text.replace(/[ \t]+$/gm, "");
    yield `${last.said.text}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n> Tokens: 1,200 sent, ${outputTokens} received. Cost: $0.02 message, $0.05 session.  \n\n`;
  }
}
