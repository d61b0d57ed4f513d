import assert from "node:assert/strict";
import fc from "fast-check";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { fault, lines, read } from "../../support/foreignConversations.ts";

const AT = "2026-05-04T10:00:00.000Z";
const record = (type: string, payload: object, at = AT) => ({ timestamp: at, type, payload });
const META = record("session_meta", { id: "s", timestamp: AT, cwd: "/shop", source: "cli" });
const item = (type: string, more: object, at = AT) => record("response_item", { type, ...more }, at);
const event = (type: string, more: object, at = AT) => record("event_msg", { type, ...more }, at);
const user = (...texts: readonly string[]) =>
  item("message", { role: "user", content: texts.map((text) => ({ type: "input_text", text })) });
const said = (text: string) => item("message", { role: "assistant", content: [{ type: "output_text", text }] });
const call = (id: string) => item("function_call", { name: "shell", arguments: `{"command":["${id}"]}`, call_id: id });
const output = (id: string, given: unknown = `of ${id}`) =>
  item("function_call_output", { call_id: id, output: given });
const tokens = (input: number, total: number) =>
  event("token_count", {
    info: {
      total_token_usage: { input_tokens: total, output_tokens: 9 },
      last_token_usage: { input_tokens: input, cached_input_tokens: 3, output_tokens: 9, reasoning_output_tokens: 4 },
    },
    rate_limits: null,
  });
const usageOf = (found: ReturnType<typeof read>) =>
  found.records.flatMap((each) =>
    each.kind === "usage"
      ? [[each.message, each.model, each.inputTokens, each.cacheReadTokens, each.outputTokens]]
      : [],
  );

describe("§11 Codex's rollouts:", () => {
  it("items with thinking, calls, results, models and usage; events that say the same are left out", () => {
    const found = read(
      lines(
        META,
        user("<environment_context>\n  <cwd>/shop</cwd>\n</environment_context>"),
        record("turn_context", { cwd: "/shop", model: "gpt-5-codex" }),
        user("Why does it fail?"),
        event("user_message", { message: "Why does it fail?", images: [] }),
        event("agent_reasoning", { text: "**Looking**" }),
        item("reasoning", {
          summary: [{ type: "summary_text", text: "**Looking**" }],
          content: null,
          encrypted_content: "sealed",
        }),
        event("agent_message", { message: "I look." }),
        said("I look."),
        call("c1"),
        call("c2"),
        tokens(100, 100),
        output("c2", "second"),
        output("c1", { content: "no such file", success: false }),
        tokens(100, 100),
        item("reasoning", { summary: [], encrypted_content: "sealed" }),
        item("custom_tool_call", { call_id: "c3", name: "apply_patch", input: "*** Begin Patch" }),
        tokens(140, 240),
        item("custom_tool_call_output", { call_id: "c3", output: "Done" }),
        event("agent_message", { message: "Fixed." }),
        said("Fixed.<oai-mem-citation>x</oai-mem-citation>"),
        tokens(180, 420),
        event("thread_name_updated", { thread_name: "The failure" }),
      ),
    );
    assert.deepEqual(found.short, [
      ["user 0", "attachment environment_context: \n  <cwd>/shop</cwd>\n"],
      ["user 1", "text Why does it fail?"],
      [
        "assistant 1 batch 2",
        "thinking **Looking**",
        "text I look.",
        'call c1 shell {"command":["c1"]}',
        'call c2 shell {"command":["c2"]}',
      ],
      ["user 1 batch 2", "result c1 error no such file", "result c2 ok second"],
      ["assistant 1 batch 4", 'call c3 apply_patch {"input":"*** Begin Patch"}'],
      ["user 1 batch 4", "result c3 ok Done"],
      ["assistant 1", "text Fixed.<oai-mem-citation>x</oai-mem-citation>"],
    ]);
    assert.deepEqual(
      [found.title, found.history.title?.by, found.messages[2]?.entry.createdAtMs],
      ["The failure", "user", Date.parse(AT)],
    );
    assert.deepEqual(usageOf(found), [
      [2, "gpt-5-codex", 100, 3, 9],
      [4, "gpt-5-codex", 140, 3, 9],
      [6, "gpt-5-codex", 180, 3, 9],
    ]);
  });

  it("usage that older versions report before the answer", () => {
    const found = read(
      lines(META, user("a"), tokens(10, 10), call("c1"), output("c1"), tokens(20, 30), said("b"), user("c"), said("d")),
    );
    assert.deepEqual(usageOf(found), [
      [1, "unknown", 10, 3, 9],
      [3, "unknown", 20, 3, 9],
    ]);
  });

  it("older ones hold the items alone, the oldest are one document", () => {
    const items = [user("Why?"), item("reasoning", { summary: [] }), call("c1"), output("c1"), said("So.")].map(
      ({ payload }) => payload,
    );
    const bare = lines({ id: "s", timestamp: AT, instructions: null, git: {} }, { record_type: "state" }, ...items);
    const whole = JSON.stringify({ session: { timestamp: AT, id: "s", instructions: "" }, items });
    const short = [
      ["user 0", "text Why?"],
      ["assistant 0 batch 1", 'call c1 shell {"command":["c1"]}'],
      ["user 0 batch 1", "result c1 ok of c1"],
      ["assistant 0", "text So."],
    ];
    for (const text of [bare, whole]) {
      const found = read(text);
      assert.deepEqual([found.short, found.messages[3]?.entry.createdAtMs], [short, Date.parse(AT)]);
    }
  });

  const PNG = "data:image/png;base64,iVBORw0KGgo=";
  it("pictures in messages and results, searches, pictures that were made, and items that nobody knows", () => {
    const content = [
      { type: "input_text", text: '<image name=[Image #1] path="/a.png">' },
      { type: "input_image", image_url: PNG },
      { type: "input_text", text: "</image>" },
      { type: "input_text", text: "See" },
      { type: "input_image", image_url: "https://a.test/b.png" },
    ];
    const { short } = read(
      lines(
        META,
        item("message", { role: "user", content }),
        item("local_shell_call", {
          id: "l",
          call_id: null,
          status: "completed",
          action: { type: "exec", command: ["ls"] },
        }),
        output("l"),
        call("c"),
        output("c", [
          { type: "input_text", text: "shot" },
          { type: "input_image", image_url: PNG },
        ]),
        item("web_search_call", { status: "completed", action: { type: "search", query: "tide" } }),
        item("image_generation_call", {
          id: "ig",
          status: "completed",
          revised_prompt: "A cat",
          result: "iVBORw0KGgo=",
        }),
        item("tool_search_call", { call_id: "ts", execution: "client", arguments: { query: "mail" } }),
        item("tool_search_output", { call_id: "ts", status: "completed", tools: [{ type: "function", name: "send" }] }),
        item("function_call", { namespace: "mcp__mail", name: "send", arguments: "{}", call_id: "m" }),
        item("poll", { options: ["a"] }),
      ),
    );
    assert.deepEqual(short, [
      ["user 0", "image image/png", "text See", "attachment picture: https://a.test/b.png"],
      ["assistant 0 batch 1", 'call l local_shell {"type":"exec","command":["ls"]}'],
      ["user 0 batch 1", "result l ok of l"],
      ["assistant 0 batch 3", 'call c shell {"command":["c"]}'],
      ["user 0 batch 3", "result c ok shot\n[picture: image/png]", "image image/png"],
      ["assistant 0 batch 5", 'call web_search 5 web_search {"type":"search","query":"tide"}'],
      ["user 0 batch 5", "result web_search 5 ok "],
      ["assistant 0 batch 7", 'call ig image_generation {"prompt":"A cat"}'],
      ["user 0 batch 7", "result ig ok [picture: image/png]", "image image/png"],
      ["assistant 0 batch 9", 'call ts tool_search {"query":"mail"}'],
      ["user 0 batch 9", 'result ts ok [{"type":"function","name":"send"}]'],
      ["assistant 0 batch 11", "call m mcp__mail__send {}", 'attachment poll: {"type":"poll","options":["a"]}'],
      ["user 0 batch 11", "result m interrupted "],
    ]);
  });

  const texts: readonly (readonly [string, object, readonly string[]])[] = [
    ["rules of a folder", user("# AGENTS.md instructions for /shop\n\n<INSTRUCTIONS>\nx"), ["attachment AGENTS.md"]],
    ["rules of the user", user("<user_instructions>\nx\n</user_instructions>"), ["attachment user_instructions"]],
    ["a skill", user("<skill>\n<name>x</name>\n</skill>"), ["attachment skill"]],
    ["a stop", user("<turn_aborted>\nx\n</turn_aborted>"), ["attachment turn_aborted"]],
    [
      "words of the developer",
      item("message", { role: "developer", content: [{ type: "input_text", text: "<permissions instructions>" }] }),
      ["attachment developer"],
    ],
    [
      "the editor's context before the words",
      user("# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nNever push.\n"),
      ["attachment editor context", "text Never push."],
    ],
    ["a heading of the user", user("# Plan\n\nNever push."), ["text # Plan"]],
    [
      "words of another agent",
      item("agent_message", { author: "/root", recipient: "/root/a", content: [{ type: "input_text", text: "x" }] }),
      ["attachment /root"],
    ],
  ];
  for (const [name, line, parts] of texts) {
    it(`${name}: whose they are`, () => {
      const [, ...found] = read(lines(META, line, user("Go"))).short[0] ?? [];
      assert.deepEqual(
        found.map((part) => part.split(/[:\n]/, 1)[0]),
        parts,
      );
    });
  }

  it("a sub-agent's task is not the user's", () => {
    const meta = record("session_meta", { id: "s", source: { subagent: { thread_spawn: { depth: 1 } } } });
    const { short, title } = read(lines(meta, META, user("Never push."), said("Done.")));
    assert.deepEqual(
      [short, title],
      [
        [
          ["user 0", "attachment sub-agent: Never push."],
          ["assistant 0", "text Done."],
        ],
        undefined,
      ],
    );
  });

  it("a compaction is a summary, and what it replaced is there once", () => {
    const replaced = [user("a").payload, user("Summary of a").payload];
    const { short, summaries } = read(
      lines(
        META,
        user("a"),
        said("b"),
        record("compacted", { message: "Summary of a", replacement_history: replaced }),
        event("context_compacted", {}),
        user("c"),
        record("compacted", { message: "", replacement_history: [{ type: "compaction", encrypted_content: "x" }] }),
        said("d"),
      ),
    );
    assert.deepEqual(summaries, ["0 to 1, level 1: Summary of a"]);
    assert.deepEqual(short, [
      ["user 0", "text a"],
      ["assistant 0", "text b"],
      ["user 2", "text c"],
      ["user 3", "attachment summary: [A summary that only the service can read]"],
      ["assistant 3", "text d"],
    ]);
  });

  it("a compaction with a very long history, and one that is damaged within", () => {
    const replaced = [user("a".repeat(700_000)).payload, user("b".repeat(700_000)).payload];
    const compaction = record("compacted", { replacement_history: replaced, message: "Summary of a" });
    const broken = JSON.stringify(compaction).replace("bb", '"b');
    const found = read(`${lines(META, user("a"), compaction, user("c"))}\n${broken}\n${lines(said("d"))}`);
    assert.deepEqual(found.short, [
      ["user 0", "text a"],
      ["user 1", "attachment summary: Summary of a"],
      ["user 2", "text c"],
      ["assistant 2", "text d"],
    ]);
    assert.equal(importReportOf(found.history)?.count, 1);
  });

  const rolledBack = (turns: number) => event("thread_rolled_back", { num_turns: turns });
  const branches: readonly (readonly [string, readonly object[], readonly number[], readonly number[]])[] = [
    ["one turn", [user("a"), said("b"), user("c"), said("d"), rolledBack(1), user("e")], [-1, 0, 1, 2, 1], [0, 1, 4]],
    [
      "two turns, one of them with calls and rules",
      [
        user("a"),
        said("b"),
        user("c"),
        call("x"),
        output("x"),
        user("<skill>x</skill>"),
        user("d"),
        rolledBack(2),
        user("e"),
        said("f"),
      ],
      [-1, 0, 1, 2, 3, 4, 5, 1, 7],
      [0, 1, 7, 8],
    ],
    ["more than there are", [user("a"), said("b"), rolledBack(7), user("c")], [-1, 0, -1], [2]],
    [
      "twice",
      [user("a"), said("b"), rolledBack(1), user("c"), said("d"), rolledBack(1), user("e")],
      [-1, 0, -1, 2, -1],
      [4],
    ],
    [
      "with events beside the items",
      [
        user("a"),
        event("user_message", { message: "a" }),
        event("agent_message", { message: "b" }),
        said("b"),
        user("c"),
        event("user_message", { message: "c" }),
        rolledBack(1),
        user("e"),
      ],
      [-1, 0, 1, 1],
      [0, 1, 3],
    ],
  ];
  for (const [name, nodes, parents, shown] of branches) {
    it(`rolled back, ${name}: a branch`, () => {
      const found = read(lines(META, ...nodes));
      assert.deepEqual([found.parents, found.shown], [parents, shown]);
    });
  }

  it("a turn that was stopped, and an error", () => {
    const { short, messages } = read(
      lines(
        META,
        user("a"),
        said("b"),
        call("x"),
        event("turn_aborted", { reason: "interrupted" }),
        user("c"),
        event("error", { message: "No quota." }),
      ),
    );
    assert.deepEqual(short, [
      ["user 0", "text a"],
      ["assistant 0 batch 1", "text b", 'call x shell {"command":["x"]}'],
      ["user 0 batch 1", "result x interrupted "],
      ["user 3", "text c"],
      ["user 4", "attachment error: No quota."],
    ]);
    assert.equal(messages[1]?.entry.state, "cancelled");
  });

  it("an event without an item after very many messages", () => {
    const many = `${JSON.stringify(said("b"))}\n`.repeat(130_000);
    const told = (message: string) => event("user_message", { message });
    const { short } = read(`${lines(META, user("a"), told("a"))}\n${many}${lines(told("c"))}`);
    assert.deepEqual([short.length, short[1]?.length, short[2]?.at(-1)], [3, 130_001, "text c"]);
  });

  it("events alone are the conversation, also in the newest form, each once", () => {
    const completed = (content: object) => event("item_completed", { thread_id: "t", turn_id: "u", item: content });
    const { short, parents } = read(
      lines(
        META,
        record("turn_context", { model: "gpt-6" }),
        event("user_message", { message: "Why?" }),
        completed({ type: "UserMessage", id: "1", content: [{ type: "text", text: "Why?" }] }),
        completed({ type: "Reasoning", id: "2", summary_text: ["Hm."], raw_content: [] }),
        completed({ type: "AgentMessage", id: "3", content: [{ type: "Text", text: "So." }] }),
        event("agent_message", { message: "So." }),
        completed({ type: "CommandExecution", id: "4", command: "ls" }),
      ),
    );
    assert.deepEqual(
      [short, parents],
      [
        [
          ["user 0", "text Why?"],
          ["assistant 0", "thinking Hm."],
          ["assistant 0", "text So."],
        ],
        [-1, 0, 1],
      ],
    );
  });

  it("a damaged line costs that line; its event stands for a message of it", () => {
    const wrong = { ...said("b"), payload: { type: "message", role: "assistant", content: 7 } };
    const cut = JSON.stringify(call("x")).slice(0, -9);
    const text = [
      lines(META, user("a"), event("agent_message", { message: "b" }), wrong),
      cut,
      lines(event("agent_message", { message: "c" }), said("c")),
    ].join("\n");
    const found = read(text);
    assert.deepEqual(found.short, [
      ["user 0", "text a"],
      ["assistant 0", "text b"],
      ["assistant 0", "text c"],
    ]);
    assert.deepEqual(importReportOf(found.history), {
      message: 2,
      count: 2,
      damaged: [
        { line: 4, text: JSON.stringify(wrong) },
        { line: 5, text: cut },
      ],
    });
    assert.deepEqual(fault(lines(META, wrong)), ["line 2.payload.content", "7", "a list"]);
  });

  it("of any session: every word, call and result is there once, in its order", () => {
    const step = fc.record({
      kind: fc.constantFrom("user", "said", "thought", "call", "stopped", "steered"),
      hasEvent: fc.boolean(),
      hasUsage: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const made = steps.map(({ kind, hasEvent, hasUsage }, at) => {
          const text = `words ${at}`;
          const summary = [{ type: "summary_text", text }];
          const usage = hasUsage ? [tokens(at + 1, at + 1)] : [];
          const of = {
            user: {
              items: [user(text), ...(hasEvent ? [event("user_message", { message: text })] : [])],
              parts: [`text ${text}`],
            },
            said: {
              items: [...(hasEvent ? [event("agent_message", { message: text })] : []), said(text)],
              parts: [`text ${text}`],
            },
            thought: {
              items: [...(hasEvent ? [event("agent_reasoning", { text })] : []), item("reasoning", { summary })],
              parts: [`thinking ${text}`],
            },
            call: {
              items: [call(`c${at}`), output(`c${at}`)],
              parts: [`call c${at} shell {"command":["c${at}"]}`, `result c${at} ok of c${at}`],
            },
            stopped: {
              items: [call(`c${at}`), user(text)],
              parts: [`call c${at} shell {"command":["c${at}"]}`, `result c${at} interrupted `, `text ${text}`],
            },
            steered: {
              items: [call(`c${at}`), user(text), output(`c${at}`)],
              parts: [`call c${at} shell {"command":["c${at}"]}`, `result c${at} ok of c${at}`, `text ${text}`],
            },
          }[kind];
          return { items: [...of.items, ...usage], parts: of.parts };
        });
        const { short, shown } = read(lines(META, ...made.flatMap(({ items }) => items)));
        assert.deepEqual(
          short.flatMap(([, ...parts]) => parts),
          made.flatMap(({ parts }) => parts),
        );
        assert.equal(shown.length, short.length);
      }),
    );
  });
});
