import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { messageId } from "../../../../src/core/ids.ts";
import { textMessage } from "../../../../src/core/message.ts";
import { readSource, withJoinedAnswers, type SummarySource } from "../../../../src/core/summary/write/source.ts";
import { transcriptOf } from "../../../../src/core/summary/write/sourceTranscript.ts";

function source(id: number, text: string, more: Partial<SummarySource> = {}): SummarySource {
  const role = id === 0 ? "user" : "assistant";
  const tokens = { cl100k: 1, o200k: 1 };
  return { id: messageId(id), turn: messageId(0), message: textMessage(role, text), tokens, ...more };
}

describe("sources of a summary", () => {
  it("L1 hold an answer and its continuations as one, and say that it was cut", () => {
    const joined = withJoinedAnswers([
      source(0, "Tell."),
      source(1, "called the Que", { isIncomplete: true }),
      source(2, "en of", { continues: messageId(1), isIncomplete: true }),
      source(3, " the Seas", { continues: messageId(2), isIncomplete: true }),
      source(5, "Alone.", { continues: messageId(4) }),
    ]);
    assert.deepEqual(
      joined.map((each) => [transcriptOf(readSource(each)), each.tokens.o200k]),
      [
        ["[message 1, user]\nTell.", 1],
        ["[message 2, assistant, cut off before its end]\ncalled the Queen of the Seas", 3],
        ["[message 6, assistant]\nAlone.", 1],
      ],
    );
  });
});
