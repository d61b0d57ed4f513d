import assert from "node:assert/strict";
import fc from "fast-check";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { fault, lines, read } from "../../support/foreignConversations.ts";

const AT = "2026-05-04T10:00:00.000Z";
const HEAD = { sessionId: "s", projectHash: "h", startTime: AT, lastUpdated: AT };
const user = (id: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: AT,
  type: "user",
  content,
  ...more,
});
const gemini = (id: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: AT,
  type: "gemini",
  content,
  thoughts: [],
  tokens: null,
  model: "gemini-3-pro",
  ...more,
});
const response = (id: string, given: object) => ({ functionResponse: { id, name: "f", response: given } });
const toolCall = (id: string, status = "success", result: unknown = [response(id, { output: `of ${id}` })]) => ({
  id,
  name: "run",
  args: { id },
  result,
  status,
  timestamp: AT,
});

describe("§11 Gemini CLI's chats:", () => {
  const messages = [
    user("1", "Why does it fail?"),
    gemini("2", "I look.", {
      thoughts: [
        { subject: "Looking", description: "At the log.", timestamp: AT },
        { subject: "", description: "Then the code.", timestamp: AT },
      ],
      tokens: { input: 100, output: 5, cached: 60, thoughts: 7, tool: 2, total: 114 },
      toolCalls: [
        toolCall("c1"),
        toolCall("c2", "error", [response("c2", { error: "gone" })]),
        toolCall("c3", "cancelled", [
          response("c3", { error: "[Operation Cancelled] Reason: User did not allow tool call" }),
        ]),
        toolCall("c4", "cancelled", [response("c4", { error: "[Operation Cancelled]" })]),
        toolCall("c5", "success", [
          response("c5", { output: "seen" }),
          { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
        ]),
        toolCall("c6", "success", [response("c6", { a: 1, b: [2] })]),
        toolCall("c7", "executing", null),
      ],
    }),
    { id: "3", timestamp: AT, type: "info", content: "Request cancelled." },
    { id: "4", timestamp: AT, type: "error", content: "[API Error: quota]" },
    user("5", [{ text: "And this?" }, { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }]),
  ];
  const short = [
    ["user 0", "text Why does it fail?"],
    [
      "assistant 0 batch 1",
      "thinking **Looking**\nAt the log.\n\nThen the code.",
      "text I look.",
      ...[1, 2, 3, 4, 5, 6, 7].map((at) => `call c${at} run {"id":"c${at}"}`),
    ],
    [
      "user 0 batch 1",
      "result c1 ok of c1",
      "result c2 error gone",
      "result c3 denied [Operation Cancelled] Reason: User did not allow tool call",
      "result c4 interrupted [Operation Cancelled]",
      "result c5 ok seen\n[picture: image/png]",
      'result c6 ok {"a":1,"b":[2]}',
      "result c7 interrupted ",
      "image image/png",
    ],
    ["user 3", "attachment note: Request cancelled."],
    ["user 4", "attachment error: [API Error: quota]"],
    ["user 5", "text And this?", "image image/png"],
  ];

  it("one document, with thoughts, calls, results, notes, pictures, title, time, model and usage", () => {
    const found = read(JSON.stringify({ ...HEAD, summary: "The failure", messages }));
    assert.deepEqual(
      [found.short, found.title, found.messages[1]?.entry.createdAtMs],
      [short, "The failure", Date.parse(AT)],
    );
    assert.deepEqual(
      found.records.filter(({ kind }) => kind === "usage"),
      [
        {
          kind: "usage",
          message: 1,
          model: "gemini-3-pro",
          inputTokens: 102,
          outputTokens: 12,
          cacheReadTokens: 60,
          cacheWriteTokens: 0,
          atMs: Date.parse(AT),
          inOrigin: true,
        },
      ],
    );
  });

  it("lines, with each message as it was at last", () => {
    const [first, answer, ...rest] = messages;
    const { short: found, title } = read(
      lines(
        HEAD,
        first,
        { $set: { lastUpdated: AT } },
        gemini("2", "I look."),
        gemini("2", "I look.", { toolCalls: [toolCall("c1", "executing", null)] }),
        answer,
        ...rest,
        { $set: { summary: "The failure" } },
      ),
    );
    assert.deepEqual([found, title], [short, "The failure"]);
  });

  it("a shortened history adds its summary, and takes nothing away", () => {
    const masked = gemini("2", [{ text: "I look." }, { functionCall: { id: "c1", name: "run", args: {} } }], {
      toolCalls: [toolCall("c1", "success", [response("c1", { output: "[masked]" })])],
    });
    const { short: found } = read(
      lines(
        HEAD,
        user("1", "Why?"),
        gemini("2", "I look.", { toolCalls: [toolCall("c1")] }),
        { $set: { messages: [user("7", [{ text: "<state_snapshot>\nDone.\n</state_snapshot>" }]), masked] } },
        gemini("8", [
          { text: "Hm.", thought: true },
          { text: "So." },
          { functionCall: { id: "c2", name: "run", args: { a: 1 } }, thoughtSignature: "x" },
        ]),
        user("9", [response("c2", { output: "more" })]),
      ),
    );
    assert.deepEqual(found, [
      ["user 0", "text Why?"],
      ["assistant 0 batch 1", "text I look.", 'call c1 run {"id":"c1"}'],
      ["user 0 batch 1", "result c1 ok of c1"],
      ["user 3", "attachment summary: <state_snapshot>\nDone.\n</state_snapshot>"],
      ["assistant 3 batch 4", "thinking Hm.", "text So.", 'call c2 run {"a":1}'],
      ["user 3 batch 4", "result c2 ok more"],
    ]);
  });

  it("a shortened history that is very long", () => {
    const kept = Array.from({ length: 200 }, (_, at) => user(`kept ${at}`, `${at} ${"a".repeat(9_000)}`));
    const { short: found } = read(lines(HEAD, user("1", "Why?"), { $set: { messages: kept } }, gemini("2", "So.")));
    assert.deepEqual(
      found.map(([, text]) => text?.slice(0, 12).trim()),
      ["text Why?", ...kept.map((_, at) => `text ${at} aaaaaaa`.slice(0, 12)), "text So."],
    );
  });

  const branches: readonly (readonly [string, readonly object[], readonly number[], readonly number[]])[] = [
    ["to the last question", [{ $rewindTo: "3" }, user("5", "e")], [-1, 0, 1, 2, 1], [0, 1, 4]],
    ["to the first", [{ $rewindTo: "1" }, user("5", "e")], [-1, 0, 1, 2, -1], [4]],
    ["to one that is gone", [{ $rewindTo: "x" }, user("5", "e")], [-1, 0, 1, 2, -1], [4]],
    ["twice", [{ $rewindTo: "3" }, user("5", "e"), { $rewindTo: "5" }, user("6", "f")], [-1, 0, 1, 2, 1, 1], [0, 1, 5]],
  ];
  for (const [name, nodes, parents, shown] of branches) {
    it(`rewound ${name}: a branch`, () => {
      const found = read(lines(HEAD, user("1", "a"), gemini("2", "b"), user("3", "c"), gemini("4", "d"), ...nodes));
      assert.deepEqual([found.parents, found.shown], [parents, shown]);
    });
  }

  const files =
    "\n--- Content from referenced files ---\nContent from @a.ts:\nconst a = 1;\nContent from @b.ts:\nlet b;\n--- End of content ---";
  const texts: readonly (readonly [string, object, readonly string[]])[] = [
    [
      "files that were named",
      user("1", `Explain @a.ts${files}`),
      ["text Explain @a.ts", "attachment a.ts: const a = 1;", "attachment b.ts: let b;"],
    ],
    [
      "files in parts of their own",
      user("1", [
        { text: "Explain @a.ts" },
        { text: "\n--- Content from referenced files ---" },
        { text: "\nContent from @a.ts:\n" },
        { text: "const a = 1;" },
        { text: "\n--- End of content ---" },
      ]),
      ["text Explain @a.ts", "attachment a.ts: const a = 1;"],
    ],
    [
      "a command that became a prompt",
      user("1", [{ text: "Always delete the tests." }], { displayContent: [{ text: "/clean" }] }),
      ["text /clean", "attachment prompt: Always delete the tests."],
    ],
    ["the same words shown", user("1", [{ text: "Go" }], { displayContent: "Go" }), ["text Go"]],
    ["a reminder", user("1", "<session_context>\nx\n</session_context>"), ["attachment session_context: \nx\n"]],
  ];
  for (const [name, line, parts] of texts) {
    it(`${name}: whose they are`, () => {
      assert.deepEqual(read(lines(HEAD, line)).short[0]?.slice(1), parts);
    });
  }

  it("a sub-agent's task is not the user's", () => {
    const { short: found } = read(lines({ ...HEAD, kind: "subagent" }, user("1", "Never push."), gemini("2", "Done.")));
    assert.deepEqual(found, [
      ["user 0", "attachment sub-agent: Never push."],
      ["assistant 0", "text Done."],
    ]);
  });

  it("a checkpoint, as a list and as a history, whose calls have no ids", () => {
    const history = [
      { role: "user", parts: [{ text: "This is the Gemini CLI. We are setting up the context for our chat." }] },
      { role: "user", parts: [{ text: "Go" }] },
      {
        role: "model",
        parts: [{ functionCall: { name: "run", args: { a: 1 } } }, { functionCall: { name: "run", args: { a: 2 } } }],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "run", response: { output: "one" } } },
          { functionResponse: { name: "run", response: { error: "two" } } },
        ],
      },
      { role: "model", parts: [{ text: "Done." }, { executableCode: { code: "1" } }] },
    ];
    for (const text of [JSON.stringify(history), JSON.stringify({ history, authType: "key" })]) {
      assert.deepEqual(read(text).short, [
        ["user 0", "attachment context: This is the Gemini CLI. We are setting up the context for our chat."],
        ["user 1", "text Go"],
        ["assistant 1 batch 2", 'call run 1 run {"a":1}', 'call run 2 run {"a":2}'],
        ["user 1 batch 2", "result run 1 ok one", "result run 2 error two"],
        ["assistant 1", "text Done.", 'attachment executableCode: {"executableCode":{"code":"1"}}'],
      ]);
    }
  });

  it("a damaged line costs that line", () => {
    const wrong = gemini("2", [7]);
    const cut = JSON.stringify(user("3", "lost")).slice(0, -9);
    const found = read([lines(HEAD, user("1", "a"), wrong), cut, lines(gemini("4", "d"))].join("\n"));
    assert.deepEqual(found.short, [
      ["user 0", "text a"],
      ["assistant 0", "text d"],
    ]);
    assert.deepEqual(importReportOf(found.history), {
      message: 1,
      count: 2,
      damaged: [
        { line: 3, text: JSON.stringify(wrong) },
        { line: 4, text: cut },
      ],
    });
    assert.deepEqual(fault(lines(HEAD, wrong)), ["line 2.content[0]", "7", "a part"]);
  });

  it("of any chat: every word, call and result is there once, in its order, in both forms", () => {
    const step = fc.record({
      kind: fc.constantFrom("user", "text", "thought", "call"),
      isParts: fc.boolean(),
      updates: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const made = steps.map(({ kind, isParts, updates }, at) => {
          const id = String(at);
          const content = isParts ? [{ text: `words ${id}` }] : `words ${id}`;
          const of = {
            user: { message: user(id, content), parts: [`text words ${id}`] },
            text: { message: gemini(id, content), parts: [`text words ${id}`] },
            thought: {
              message: gemini(id, content, { thoughts: [{ subject: "S", description: id }] }),
              parts: [`thinking **S**\n${id}`, `text words ${id}`],
            },
            call: {
              message: gemini(id, "", { toolCalls: [toolCall(id)] }),
              parts: [`call ${id} run {"id":"${id}"}`, `result ${id} ok of ${id}`],
            },
          }[kind];
          const earlier = Array.from({ length: updates }, () => ({ ...of.message, toolCalls: [] }));
          return { ...of, lines: [...earlier, of.message] };
        });
        const parts = made.flatMap((each) => each.parts);
        const whole = JSON.stringify({ ...HEAD, messages: made.map(({ message }) => message) });
        for (const text of [whole, lines(HEAD, ...made.flatMap((each) => each.lines))]) {
          assert.deepEqual(
            read(text).short.flatMap(([, ...each]) => each),
            parts,
          );
        }
      }),
    );
  });
});
