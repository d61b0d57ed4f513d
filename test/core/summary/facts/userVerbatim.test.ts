/** The user's messages in a summary: the first of the conversation, and the newest that fit, word for word. */

import assert from "node:assert/strict";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { textMessage } from "../../../../src/core/message.ts";
import { FactCollector } from "../../../../src/core/summary/facts/facts.ts";
import { selectUserVerbatim } from "../../../../src/core/summary/facts/userVerbatim.ts";
import { readSource } from "../../../../src/core/summary/write/source.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

/** Texts of the messages that are retained in `tokens`, in order of importance. */
function retained(texts: readonly string[], tokens: number, taskIndex = 0): readonly string[] {
  const collector = new FactCollector();
  for (const [index, text] of texts.entries()) {
    const [id, message] = [messageId(index), textMessage("user", text)];
    runSync(collector.add(readSource({ id, turn: id, message, tokens: { cl100k: 0, o200k: 0 } })));
  }
  const userRoom = { tokens, sharedTokens: 0, encoding: "cl100k", task: messageId(taskIndex) } as const;
  const request = { facts: runSync(collector.facts()), targetTokens: 0, allowanceTokens: 0, userRoom };
  const { allowed } = runSync(selectUserVerbatim(request, testTokenCounter()));
  return allowed.flatMap(({ kind, text }) => (kind === "message" ? [text] : []));
}

const TASK = "Port the parser to Rust.\nKeep the error messages.";
const TEXTS = [TASK, "what does it say now?", "continue", "hayır, önce testleri düzelt", "continue"];

describe("the user's messages", () => {
  it("are retained word for word in any language, of equal ones the newest", () => {
    assert.deepEqual(retained(TEXTS, 400), [TASK, "continue", "hayır, önce testleri düzelt", "what does it say now?"]);
  });
  it("are the first of the conversation and then the newest that fit", () => {
    assert.deepEqual(retained(TEXTS, 41), [TASK, "continue", "hayır, önce testleri düzelt"]);
  });
  it("are the newest alone where the first is in another summary", () => {
    assert.deepEqual(retained(TEXTS, 26, 9), ["continue", "hayır, önce testleri düzelt"]);
  });
  it("are shortened where one does not fit as a whole", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${String(index)} of the log`).join("\n");
    const [excerpt = ""] = retained([lines], 120, 9);
    assert.deepEqual(
      [
        excerpt.startsWith("line 0 of the log\nline 1"),
        /… \d+ characters left out …/.test(excerpt),
        excerpt.endsWith("line 99 of the log"),
      ],
      [true, true, true],
    );
  });
  it("are none without room", () => {
    assert.deepEqual(retained(TEXTS, 0), []);
  });
});
