import assert from "node:assert/strict";
import fc from "fast-check";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { fault, lines, read } from "../../support/foreignConversations.ts";

const AT = "2026-05-04T10:00:00.000Z";
let events = 0;
const event = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  id: `e${++events}`,
  timestamp: AT,
  parentId: null,
  ...more,
});
const START = event("session.start", { sessionId: "s", version: 1, selectedModel: "gpt-5", startTime: AT });
const user = (content: string, more: object = {}, envelope: object = {}) =>
  event("user.message", { content, attachments: [], ...more }, envelope);
const answer = (content: string, calls: readonly string[] = [], more: object = {}, envelope: object = {}) =>
  event(
    "assistant.message",
    {
      messageId: `m${events}`,
      content,
      toolRequests: calls.map((id) => ({ toolCallId: id, name: "bash", arguments: { command: id }, type: "function" })),
      ...more,
    },
    envelope,
  );
const complete = (id: string, more: object = {}) =>
  event("tool.execution_complete", { toolCallId: id, success: true, result: { content: `of ${id}` }, ...more });

describe("§11 Copilot CLI's sessions:", () => {
  it("words, thinking, calls by their ids, results, model, usage, time and title", () => {
    const found = read(
      lines(
        START,
        event("session.title_changed", { title: "The failure" }),
        event("system.message", { role: "system", content: "You are" }),
        user("Why does it fail?"),
        event("assistant.turn_start", { turnId: "0" }),
        event("assistant.reasoning", { reasoningId: "r", content: "Hm." }),
        answer("I look.", ["c1", "c2", "c3"], {
          reasoningText: "Hm.",
          model: "claude-opus-4.8",
          apiCallId: "a",
          outputTokens: 7,
        }),
        event("assistant.reasoning", { reasoningId: "r", content: "Hm." }),
        event("assistant.usage", {
          model: "claude-opus-4.8",
          apiCallId: "a",
          inputTokens: 90,
          outputTokens: 8,
          cacheReadTokens: 50,
        }),
        event("tool.execution_start", { toolCallId: "c1", toolName: "bash", arguments: { command: "c1" } }),
        complete("c2", { success: false, result: undefined, error: { message: "no such file", code: "failure" } }),
        complete("c3", { success: false, result: undefined, error: { message: "The user said no", code: "denied" } }),
        complete("c1"),
        event("assistant.turn_end", { turnId: "0" }),
        answer("", ["c4"], { outputTokens: 3 }),
        event("abort", { reason: "user initiated" }),
        event("session.error", { errorType: "quota", message: "No quota." }),
        event("assistant.reasoning", { reasoningId: "q", content: "Last." }),
      ),
    );
    assert.deepEqual(found.short, [
      ["user 0", "text Why does it fail?"],
      [
        "assistant 0 batch 1",
        "thinking Hm.",
        "text I look.",
        'call c1 bash {"command":"c1"}',
        'call c2 bash {"command":"c2"}',
        'call c3 bash {"command":"c3"}',
      ],
      ["user 0 batch 1", "result c1 ok of c1", "result c2 error no such file", "result c3 denied The user said no"],
      ["assistant 0 batch 3", 'call c4 bash {"command":"c4"}'],
      ["user 0 batch 3", "result c4 interrupted "],
      ["user 5", "attachment error: No quota."],
      ["assistant 5", "thinking Last."],
    ]);
    assert.deepEqual(
      [found.title, found.messages.map(({ entry }) => [entry.state, entry.model])],
      [
        "The failure",
        [
          ["complete", undefined],
          ["complete", "claude-opus-4.8"],
          ["complete", undefined],
          ["cancelled", "gpt-5"],
          ["complete", undefined],
          ["complete", undefined],
          ["complete", "gpt-5"],
        ],
      ],
    );
    assert.deepEqual(
      found.records.flatMap((each) =>
        each.kind === "usage"
          ? [[each.message, each.inputTokens, each.cacheReadTokens, each.outputTokens, each.atMs]]
          : [],
      ),
      [
        [1, 90, 50, 8, Date.parse(AT)],
        [3, 0, 0, 3, Date.parse(AT)],
      ],
    );
  });

  it("pictures and files of messages and results", () => {
    const attachments = [
      { type: "file", path: "/shop/a.ts", displayName: "a.ts" },
      { type: "selection", filePath: "/shop/b.ts", displayName: "b.ts:3", text: "let b;", selection: {} },
      { type: "blob", mimeType: "image/png", data: "iVBORw0KGgo=" },
      { type: "blob", mimeType: "image/png", assetId: "sha256:1" },
      { type: "blob", mimeType: "image/png", assetId: "gone", displayName: "c.png" },
      { type: "github_reference", number: 7, title: "Leak", url: "https://a.test/7" },
    ];
    const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
    const { short } = read(
      lines(
        START,
        event("session.binary_asset", {
          assetId: "sha256:1",
          mimeType: "image/png",
          data: "iVBORw0KGgo=",
          type: "image",
        }),
        user("See", { attachments }),
        answer("", ["c1", "c2"]),
        complete("c1", { result: { content: "shot", binaryResultsForLlm: [image], contents: [image] } }),
        complete("c2", { result: { content: "two", contents: [{ type: "text", text: "two" }, image] } }),
      ),
    );
    assert.deepEqual(short, [
      [
        "user 0",
        "text See",
        "attachment a.ts: /shop/a.ts",
        "attachment b.ts:3: let b;",
        "image image/png",
        "image image/png",
        "attachment c.png: [A picture that the file does not contain]",
        "attachment Leak: https://a.test/7",
      ],
      ["assistant 0 batch 1", 'call c1 bash {"command":"c1"}', 'call c2 bash {"command":"c2"}'],
      [
        "user 0 batch 1",
        "result c1 ok shot\n[picture: image/png]",
        "result c2 ok two\n[picture: image/png]",
        "image image/png",
        "image image/png",
      ],
    ]);
  });

  const texts: readonly (readonly [string, object, readonly string[]])[] = [
    [
      "reminders that were sent with it",
      user("Run it", {
        transformedContent:
          "<current_datetime>now</current_datetime>\n\nRun it\n\n<system_reminder>\nNever push.\n</system_reminder>",
      }),
      ["text Run it", "attachment current_datetime: now", "attachment system_reminder: \nNever push.\n"],
    ],
    [
      "a command that became a prompt",
      user("/plan it", { transformedContent: "Make a plan." }),
      ["text /plan it", "attachment prompt: Make a plan."],
    ],
    ["the same words sent", user("Run it", { transformedContent: "Run it\n" }), ["text Run it"]],
    ["a skill", user("Do so", { source: "skill-pdf" }), ["attachment skill-pdf: Do so"]],
    ["autopilot", user("Go on", { isAutopilotContinuation: true }), ["attachment note: Go on"]],
    ["a user by name", user("Go on", { source: "user" }), ["text Go on"]],
    ["a notification", event("system.notification", { content: "Done", kind: {} }), ["attachment notification: Done"]],
    [
      "the developer's words",
      event("system.message", { role: "developer", content: "x" }),
      ["attachment developer: x"],
    ],
    [
      "a compaction",
      event("session.compaction_complete", { success: true, summaryContent: "x" }),
      ["attachment summary: x"],
    ],
  ];
  for (const [name, line, parts] of texts) {
    it(`${name}: whose they are`, () => {
      assert.deepEqual(read(lines(START, line)).short[0]?.slice(1), parts);
    });
  }

  it("a sub-agent among the others is a branch that is not live", () => {
    const aside = { agentId: "explore" };
    const { short, shown, parents } = read(
      lines(
        START,
        user("go"),
        answer("", ["t", "c1"]),
        user("find it", {}, aside),
        answer("", ["c2"], {}, aside),
        complete("c1"),
        answer("found", [], { parentToolCallId: "other" }),
        complete("c2"),
        answer("there", [], {}, aside),
        complete("t"),
        answer("done"),
      ),
    );
    assert.deepEqual(
      [short, shown, parents],
      [
        [
          ["user 0", "text go"],
          ["assistant 0 batch 1", 'call t bash {"command":"t"}', 'call c1 bash {"command":"c1"}'],
          ["user 0 batch 1", "result t ok of t", "result c1 ok of c1"],
          ["user 3", "attachment sub-agent: find it"],
          ["assistant 3 batch 4", 'call c2 bash {"command":"c2"}'],
          ["user 3 batch 4", "result c2 ok of c2"],
          ["assistant 3", "text found"],
          ["assistant 3", "text there"],
          ["assistant 3", "text done"],
        ],
        [0, 1, 2, 8],
        [-1, 0, 1, 2, 3, 4, 2, 5, 2],
      ],
    );
  });

  it("a rewind is a branch", () => {
    const again = user("c");
    const found = read(
      lines(
        START,
        user("a"),
        answer("b"),
        again,
        answer("d"),
        event("session.snapshot_rewind", { upToEventId: again.id, eventsRemoved: 2 }),
        user("e"),
      ),
    );
    assert.deepEqual(
      [found.parents, found.shown],
      [
        [-1, 0, 1, 2, 1],
        [0, 1, 4],
      ],
    );
  });

  it("what the user ran, and calls whose message is lost", () => {
    const { short } = read(
      lines(
        START,
        event("tool.user_requested", { toolCallId: "u", toolName: "bash", arguments: { command: "ls" } }),
        event("tool.execution_start", { toolCallId: "u", toolName: "bash", arguments: { command: "ls" } }),
        complete("u"),
        event("tool.execution_start", { toolCallId: "c", toolName: "view", args: { path: "a" } }),
        complete("c"),
      ),
    );
    assert.deepEqual(short, [
      ["user 0", 'attachment bash: {"command":"ls"}'],
      ["user 1", "attachment tool result: of u"],
      ["assistant 1 batch 2", 'call c view {"path":"a"}'],
      ["user 1 batch 2", "result c ok of c"],
    ]);
  });

  it("lines copied by a resumed session are there once, and a damaged line costs that line", () => {
    const [first, second] = [user("a"), answer("b")];
    const wrong = user("x", { content: 7 });
    const cut = JSON.stringify(answer("lost")).slice(0, -30);
    const found = read(
      [
        lines(START, first, second, event("session.resume", {}), first, second, wrong),
        `${cut}${lines(user("c"))}`,
      ].join("\n"),
    );
    assert.deepEqual(found.short, [
      ["user 0", "text a"],
      ["assistant 0", "text b"],
      ["user 2", "text c"],
    ]);
    assert.deepEqual(importReportOf(found.history), {
      message: 2,
      count: 2,
      damaged: [
        { line: 7, text: JSON.stringify(wrong) },
        { line: 8, text: cut },
      ],
    });
    assert.deepEqual(fault(lines(START, wrong)), ["line 2.data.content", "7", "text"]);
  });

  it("of any session: every word, call and result is there once, whatever is between", () => {
    const step = fc.record({
      kind: fc.constantFrom("user", "answer", "calls"),
      isThought: fc.boolean(),
      late: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const made: object[] = [START];
        const parts: string[] = [];
        const late: { readonly at: number; readonly line: object }[] = [];
        for (const [at, each] of steps.entries()) {
          const calls = each.kind === "calls" ? [`x${at}`, `y${at}`] : [];
          const thought = each.isThought ? `thought ${at}` : "";
          if (each.kind === "user") made.push(user(`words ${at}`));
          else made.push(answer(`words ${at}`, calls, { reasoningText: thought }));
          if (each.kind !== "user" && each.isThought) parts.push(`thinking ${thought}`);
          parts.push(`text words ${at}`, ...calls.map((id) => `call ${id} bash {"command":"${id}"}`));
          parts.push(...calls.map((id) => `result ${id} ok of ${id}`));
          late.push(...calls.reverse().map((id) => ({ at: at + each.late, line: complete(id) })));
          made.push(...late.filter((result) => result.at === at).map(({ line }) => line));
        }
        made.push(...late.filter(({ at }) => at >= steps.length).map(({ line }) => line));
        const { short, shown } = read(lines(...made));
        assert.deepEqual(
          short.flatMap(([, ...each]) => each),
          parts,
        );
        assert.equal(shown.length, short.length);
      }),
    );
  });
});
