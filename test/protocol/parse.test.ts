import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { parseToHost, safeLink } from "../../src/protocol/parse.ts";

const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";

const GOOD: readonly unknown[] = [
  { kind: "ready", changes: 0 },
  { kind: "compose", conversationId: "c", number: 2, change: { kind: "send", base: 1, sendId: "1", text: "hi" } },
  { kind: "compose", conversationId: "c", number: 1, change: { kind: "text", base: 0, text: "hi" } },
  { kind: "recover", stepId: "step_1", choice: "askAgain" },
  { kind: "openSummary", summaryId: 0 },
  { kind: "approve", rowId: "step_1", callId: "a", answer: "always" },
  { kind: "openCall", rowId: "message-1", callId: "a", whole: true },
  { kind: "revealMessage", messageId: 7, before: "message-9" },
  { kind: "revealMessage", messageId: 7, before: "message-9", topPx: -12.5 },
  { kind: "openConversation", conversationId: UUID, messageId: 7 },
  { kind: "openConversation", conversationId: UUID, messageId: null },
  { kind: "approve", rowId: "step_1", callId: "a", answer: "never" },
  { kind: "recallSources", conversationIds: [UUID, "of an import"] },
  { kind: "leaveOut", conversationId: UUID, isLeftOut: true },
  { kind: "recover", stepId: "step_1", choice: "resume" },
  { kind: "queueEdit", queueId: "step_1", on: true },
  { kind: "queueText", queueId: "step_1", text: "t" },
  { kind: "queueRemove", queueId: "step_1" },
  { kind: "queueSend" },
  { kind: "command", command: "addKey" },
  { kind: "selected", messages: { first: 2, last: 5 } },
  { kind: "selected", messages: null },
  { kind: "reading", conversationId: "c", place: { messageId: 3, topPx: -12 } },
  { kind: "reading", conversationId: "c", place: null },
  { kind: "focus", hasFocus: true },
  {
    kind: "compose",
    conversationId: "c",
    number: 1,
    change: { kind: "edit", edit: { messageId: 3, text: "so", revision: 7 } },
  },
  {
    kind: "compose",
    conversationId: "c",
    number: 1,
    change: { kind: "edit", edit: { messageId: 3, text: null, revision: 7 } },
  },
  {
    kind: "compose",
    conversationId: "c",
    number: 1,
    change: { kind: "edit", edit: { summaryId: 3, text: "so", revision: 7 } },
  },
  { kind: "context", ask: { what: "exclude", messageId: 3, index: 0, isExcluded: true } },
];

const BAD: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /message/],
  [{ kind: "unheard of" }, /kind/],
  [{ kind: "compose", conversationId: "c", number: 1, change: { kind: "send", base: 0, sendId: "1" } }, /text/],
  [{ kind: "compose", conversationId: "c", number: 1, change: { kind: "text", base: 0, text: "", extra: 1 } }, /extra/],
  [{ kind: "compose", conversationId: "c", number: -1, change: { kind: "text", base: 0, text: "hi" } }, /number/],
  [{ kind: "openSummary", summaryId: -1 }, /summaryId/],
  [{ kind: "approve", rowId: "step_1", callId: "a", answer: "yes" }, /answer/],
  [{ kind: "selected", messages: { first: 2, last: -1 } }, /last/],
  [{ kind: "reading", conversationId: "c", place: { messageId: 3, topPx: Infinity } }, /topPx/],
  [{ kind: "focus", hasFocus: 1 }, /hasFocus/],
  [
    { kind: "compose", conversationId: "c", number: 1, change: { kind: "edit", edit: { messageId: 3, text: "so" } } },
    /edit\.revision/,
  ],
  [
    { kind: "compose", conversationId: "c", number: 1, change: { kind: "edit", edit: { summaryId: 3, text: "so" } } },
    /edit\.revision/,
  ],
  [
    {
      kind: "compose",
      conversationId: "c",
      number: 1,
      change: { kind: "edit", edit: { messageId: 3, summaryId: 3, text: "", revision: 1 } },
    },
    /edit\./,
  ],
  [{ kind: "revealMessage", messageId: 1.5, before: "" }, /messageId/],
  [{ kind: "revealMessage", messageId: 1, before: "", topPx: Infinity }, /topPx/],
  [{ kind: "openConversation", conversationId: "../trash", messageId: null }, /conversationId/],
  [{ kind: "openConversation", conversationId: UUID, messageId: -1 }, /messageId/],
  [{ kind: "leaveOut", conversationId: "../trash", isLeftOut: true }, /conversationId/],
  [{ kind: "command", command: "workbench.action.terminal.new" }, /command/],
  [{ kind: "recover", stepId: "s", choice: "__proto__" }, /choice/],
];

describe("parseToHost", () => {
  for (const message of GOOD) {
    it(`accepts ${JSON.stringify(message)}`, () => {
      assert.deepEqual(parseToHost(message), { message });
    });
  }
  for (const [message, fault] of BAD) {
    it(`refuses ${JSON.stringify(message)}`, () => {
      const parsed = parseToHost(message);
      assert.ok("fault" in parsed);
      assert.match(parsed.fault, fault);
    });
  }
  it("never throws, whatever the input", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        parseToHost(value);
      }),
      { seed: 20261121, numRuns: 2_000 },
    );
  });
});

const LINKS: readonly (readonly [string, string | undefined])[] = [
  ["https://example.org/a?b#c", "https://example.org/a?b#c"],
  ["http://localhost:8080/", "http://localhost:8080/"],
  ["javascript:alert(1)", undefined],
  ["command:workbench.action.quit", undefined],
  ["data:text/html,x", undefined],
  ["vscode://x/y", undefined],
  ["file:///etc/passwd", undefined],
  ["https://example.org@evil.example/", undefined],
  ["/relative", undefined],
  ["", undefined],
];

describe("safeLink", () => {
  for (const [href, expected] of LINKS) {
    it(JSON.stringify(href), () => {
      assert.equal(safeLink(href), expected);
    });
  }
});
