/** What a reader would not see, where text becomes visible or is sent. */

import assert from "node:assert/strict";
import { toolCallId } from "../../../src/core/ids.ts";
import type { ToolCallPart } from "../../../src/core/message.ts";
import { makeVisible, onOneLine, onSeveralLines } from "../../../src/host/tools/hiddenText.ts";
import { sanitizeText } from "../../../src/host/tools/resultText.ts";
import { approvalCard, endedCard, unfinishedCard } from "../../../src/host/transcript/callCards.ts";
import { titleFrom, visibleTitle } from "../../../src/host/transcript/title.ts";

const RAW = "a\u001b[8mb\u00adc\u0085d\u2028e\ufdd0f\u202eg";
const SEEN = "a[U+001B][8mb[U+00AD]c[U+0085]d[U+2028]e[U+FDD0]f[U+202E]g";

const callId = toolCallId("c");
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  "text that a model gets": (text) => makeVisible(text).text,
  "a result": (text) => sanitizeText(text).text,
  "a path or a heading": (text) => onOneLine(text),
  "a diff": onSeveralLines,
  "the title of a conversation": visibleTitle,
  "the title of a call": (text) => unfinishedCard(call, "waiting", text).title,
  "the title of a question": (text) => approvalCard(call, { title: text, detail: "" }, []).title,
  "the title of a result": (text) =>
    endedCard(call, { kind: "toolResult", callId, outcome: "ok", text: "", title: text }).title,
};
const call: ToolCallPart = { kind: "toolCall", callId, name: "run_command", inputJson: "{}" };

describe("hidden text", () => {
  for (const [place, show] of Object.entries(PLACES)) {
    it(`S13 is seen in ${place}`, () => {
      assert.equal(show(RAW), SEEN);
    });
    it(`S13 leaves letters, emoji and joiners alone in ${place}`, () => {
      const text = "می‌خواهم 👨‍👩‍👧 é 字 क्‍ष";
      assert.equal(show(text), text);
    });
  }
  it("S13 is left out of an automatic title, with its joiners kept", () => {
    assert.equal(titleFrom("می‌خواهم\tfix \u001b[8m\u202ethe 👨‍👩‍👧 bug"), "می‌خواهم fix [8mthe 👨‍👩‍👧 bug");
  });
  it("S13 keeps the lines of a diff, but no lone carriage return", () => {
    assert.equal(onSeveralLines("+a\tb\n-c\rd"), "+a\tb\n-c[U+000D]d");
    assert.equal(onOneLine("a\tb\nc\rd"), "a[U+0009]b[U+000A]c[U+000D]d");
  });
  it("S13 counts what it shows", () => {
    assert.deepEqual(sanitizeText(RAW), { text: SEEN, secretCount: 0, hiddenCount: 6 });
  });
});
