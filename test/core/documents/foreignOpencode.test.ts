import assert from "node:assert/strict";
import fc from "fast-check";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { fault, read } from "../../support/foreignConversations.ts";

const SESSION = { id: "ses_1", title: "The failure", directory: "/shop", time: { created: 1_000, updated: 2_000 } };
const user = (id: string, parts: readonly object[], more: object = {}) => ({
  info: { id, sessionID: "ses_1", role: "user", time: { created: 1_000 }, ...more },
  parts,
});
const answer = (id: string, parts: readonly object[], more: object = {}) => ({
  info: {
    id,
    sessionID: "ses_1",
    role: "assistant",
    modelID: "claude-opus-4.8",
    providerID: "anthropic",
    time: { created: 2_000, completed: 3_500 },
    ...more,
  },
  parts,
});
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const tool = (id: string, state: object) => ({
  type: "tool",
  callID: id,
  tool: "bash",
  state: { input: { command: id }, ...state },
});
const done = (id: string, more: object = {}) =>
  tool(id, {
    status: "completed",
    output: `of ${id}`,
    title: `Ran ${id}`,
    time: { start: 2_000, end: 2_300 },
    ...more,
  });
const finish = (input: number, cost = 0) => ({
  type: "step-finish",
  reason: "stop",
  cost,
  tokens: { input, output: 5, reasoning: 2, cache: { read: 30, write: 4 } },
});
const session = (messages: readonly object[], more: object = {}) =>
  JSON.stringify({ info: { ...SESSION, ...more }, messages });

describe("§11 opencode's sessions:", () => {
  it("a part whose file is damaged costs that part", () => {
    const found = read(session([{ ...user("m1", [text("Why?")]), parts: [text("Why?"), '{"type":"te'] }]));
    assert.deepEqual(
      [found.short, importReportOf(found.history)],
      [[["user 0", "text Why?"]], { message: 0, count: 1, damaged: [{ line: 1, text: '{"type":"te' }] }],
    );
  });

  it("steps of an answer with thinking, calls, results, model, usage, times and title", () => {
    const found = read(
      session([
        user("m1", [text("Why does it fail?")]),
        answer("m2", [
          { type: "step-start", snapshot: "x" },
          { type: "reasoning", text: "Hm.", time: { start: 1 } },
          text("I look."),
          done("c1"),
          tool("c2", { status: "error", error: "no such file" }),
          tool("c3", { status: "error", error: "The user rejected permission to use this tool." }),
          tool("c4", { status: "error", error: "Tool execution aborted" }),
          tool("c5", { status: "running" }),
          finish(100, 0.25),
          { type: "patch", hash: "x", files: ["a.ts"] },
          { type: "step-start" },
          text("Fixed."),
          finish(150),
        ]),
      ]),
    );
    assert.deepEqual(found.short, [
      ["user 0", "text Why does it fail?"],
      [
        "assistant 0 batch 1",
        "thinking Hm.",
        "text I look.",
        ...[1, 2, 3, 4, 5].map((at) => `call c${at} bash {"command":"c${at}"}`),
      ],
      [
        "user 0 batch 1",
        "result c1 ok of c1",
        "result c2 error no such file",
        "result c3 denied The user rejected permission to use this tool.",
        "result c4 interrupted Tool execution aborted",
        "result c5 interrupted ",
      ],
      ["assistant 0", "text Fixed."],
    ]);
    const usage = {
      kind: "usage",
      model: "claude-opus-4.8",
      outputTokens: 7,
      cacheReadTokens: 30,
      cacheWriteTokens: 4,
    };
    assert.deepEqual(
      [found.title, found.messages.map(({ entry }) => entry.createdAtMs), found.messages[2]?.message.parts[0]],
      [
        "The failure",
        [1_000, 2_000, 2_000, 2_000],
        { kind: "toolResult", callId: "c1", outcome: "ok", text: "of c1", title: "Ran c1", durationMs: 300 },
      ],
    );
    assert.deepEqual(
      found.records.filter(({ kind }) => kind === "usage"),
      [
        { ...usage, message: 1, inputTokens: 134, costUsd: 0.25, atMs: 2_000, inOrigin: true },
        { ...usage, message: 3, inputTokens: 184, atMs: 2_000, inOrigin: true },
      ],
    );
  });

  it("usage of a whole answer, and how long it took; messages without their session", () => {
    const tokens = { input: 10, output: 3, reasoning: 0, cache: { read: 0, write: 0 } };
    const found = read(JSON.stringify([user("m1", [text("a")]), answer("m2", [text("b")], { tokens, cost: 0.5 })]));
    assert.deepEqual(
      [
        found.short,
        found.title,
        found.messages[1]?.entry.durationMs,
        found.records.flatMap((each) => (each.kind === "usage" ? [[each.inputTokens, each.costUsd]] : [])),
      ],
      [
        [
          ["user 0", "text a"],
          ["assistant 0", "text b"],
        ],
        "a",
        1_500,
        [[10, 0.5]],
      ],
    );
  });

  it("files, agents, texts that the tool wrote, and parts that nobody knows", () => {
    const png = { type: "file", mime: "image/png", filename: "a.png", url: "data:image/png;base64,iVBORw0KGgo=" };
    const { short } = read(
      session([
        user("m1", [
          text("See @a.ts"),
          text("Called the Read tool with the following input: {}", { synthetic: true }),
          text("const a = 1;", { synthetic: true }),
          text("<system-reminder>\nNever push.\n</system-reminder>", { synthetic: true }),
          { type: "file", mime: "text/plain", filename: "a.ts", url: "file:///shop/a.ts" },
          png,
          { type: "agent", name: "explore" },
          { type: "subtask", agent: "review", prompt: "Look", description: "d" },
          { type: "poll", options: [] },
        ]),
        answer("m2", [done("c1", { attachments: [png] })]),
      ]),
    );
    assert.deepEqual(short, [
      [
        "user 0",
        "text See @a.ts",
        "attachment tool result: Called the Read tool with the following input: {}",
        "attachment note: const a = 1;",
        "attachment system-reminder: \nNever push.\n",
        "attachment a.ts: file:///shop/a.ts",
        "image image/png",
        "attachment agent: explore",
        "attachment review: Look",
        'attachment poll: {"type":"poll","options":[]}',
      ],
      ["assistant 0 batch 1", 'call c1 bash {"command":"c1"}'],
      ["user 0 batch 1", "result c1 ok of c1\n[picture: image/png]", "image image/png"],
    ]);
  });

  it("a compaction is a summary", () => {
    const { short } = read(
      session([
        user("m1", [text("a")]),
        user("m2", [{ type: "compaction", auto: true }]),
        answer("m3", [text("All that was done.")], { summary: true }),
        user("m4", [text("Continue", { synthetic: true })]),
      ]),
    );
    assert.deepEqual(short, [
      ["user 0", "text a"],
      ["user 1", "attachment summary: All that was done."],
      ["user 2", "attachment note: Continue"],
    ]);
  });

  it("an answer that was stopped, one that failed, and a retry", () => {
    const { short, messages } = read(
      session([
        user("m1", [text("a")]),
        answer("m2", [text("b")], { error: { name: "MessageAbortedError", data: { message: "stopped" } } }),
        answer(
          "m3",
          [{ type: "retry", attempt: 1, error: { name: "APIError", data: { message: "busy" } } }, text("c")],
          {
            error: { name: "APIError", data: { message: "No quota." } },
          },
        ),
      ]),
    );
    assert.deepEqual(
      [short, messages.map(({ entry }) => entry.state)],
      [
        [
          ["user 0", "text a"],
          ["assistant 0", "text b"],
          ["user 2", "attachment error: busy"],
          ["assistant 2", "text c"],
          ["user 4", "attachment error: No quota."],
        ],
        ["complete", "cancelled", "complete", "failed", "complete"],
      ],
    );
  });

  it("what was reverted is a branch that is not live", () => {
    const messages = [
      user("m1", [text("a")]),
      answer("m2", [text("b")]),
      user("m3", [text("c")]),
      answer("m4", [text("d")]),
    ];
    const from = read(session(messages, { revert: { messageID: "m3" } }));
    const inside = read(session(messages, { revert: { messageID: "m3", partID: "p" } }));
    assert.deepEqual(
      [from.shown, inside.shown, from.parents],
      [
        [0, 1],
        [0, 1, 2],
        [-1, 0, 1, 2],
      ],
    );
  });

  it("a sub-agent's task is not the user's, and its title is the tool's", () => {
    const found = read(
      session([user("m1", [text("Never push.")])], { parentID: "ses_0", title: "Child session - 2026-05-04" }),
    );
    assert.deepEqual([found.short, found.title], [[["user 0", "attachment sub-agent: Never push."]], undefined]);
  });

  it("a damaged message costs that message", () => {
    const wrong = answer("m2", [{ type: "text", text: 7 }]);
    const found = read(session([user("m1", [text("a")]), wrong, answer("m3", [text("c")])]));
    assert.deepEqual(found.short, [
      ["user 0", "text a"],
      ["assistant 0", "text c"],
    ]);
    assert.deepEqual(importReportOf(found.history), {
      message: 1,
      count: 1,
      damaged: [{ line: 2, text: JSON.stringify(wrong) }],
    });
    assert.deepEqual(fault(session([wrong])), ["document.messages[0].parts[0].text", "7", "text"]);
  });

  it("of any session: every word, call and result is there once, in its order", () => {
    const part = fc.constantFrom("text", "thought", "call", "step");
    const message = fc.record({ isUser: fc.boolean(), parts: fc.array(part, { minLength: 1, maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 10 }), (given) => {
        const parts: string[] = ["text begin"];
        const messages = given.map(({ isUser, parts: kinds }, at) => {
          const id = `m${at}`;
          if (isUser) {
            parts.push(`text ${id}`);
            return user(id, [text(id)]);
          }
          let results: string[] = [];
          const made = kinds.map((kind, index) => {
            const key = `${id}-${index}`;
            if (kind === "step") {
              parts.push(...results);
              results = [];
              return finish(1);
            }
            if (kind === "call") results.push(`result ${key} ok of ${key}`);
            parts.push(
              { text: `text ${key}`, thought: `thinking ${key}`, call: `call ${key} bash {"command":"${key}"}` }[kind],
            );
            return { text: text(key), thought: { type: "reasoning", text: key }, call: done(key) }[kind];
          });
          parts.push(...results);
          return answer(id, made);
        });
        const { short, shown } = read(session([user("m", [text("begin")]), ...messages]));
        assert.deepEqual(
          short.flatMap(([, ...each]) => each),
          parts,
        );
        assert.equal(shown.length, short.length);
      }),
    );
  });
});
