import assert from "node:assert/strict";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { readAllForeign, readForeign } from "../../support/documents.ts";
import { read } from "../../support/foreignConversations.ts";

/** A node of ChatGPT's tree: its message by a role and content. */
const gpt = (id: string, parent: string | null, role: string, content: unknown, more: object = {}) => ({
  id,
  parent,
  children: [],
  message: {
    id,
    author: { role, name: null, metadata: {} },
    create_time: null,
    content: typeof content === "string" ? { content_type: "text", parts: [content] } : content,
    status: "finished_successfully",
    recipient: "all",
    metadata: {},
    ...more,
  },
});
const root = { id: "root", parent: null, children: [], message: null };
const conversation = (nodes: readonly { readonly id: string }[], more: object = {}) => ({
  title: "The sky",
  mapping: Object.fromEntries(nodes.map((node) => [node.id, node])),
  current_node: nodes.at(-1)?.id,
  ...more,
});
const chatGpt = (...nodes: readonly { readonly id: string }[]) => JSON.stringify([conversation([root, ...nodes])]);

describe("§11 ChatGPT's export:", () => {
  it("thoughts and text are one answer, with its model and time", () => {
    const { short, title, messages } = read(
      chatGpt(
        gpt("s", "root", "system", ""),
        gpt("u", "s", "user", "Why?", { create_time: 1_700_000_000.25 }),
        gpt("t", "u", "assistant", {
          content_type: "thoughts",
          thoughts: [{ summary: "Light", content: "It scatters." }],
        }),
        gpt("r", "t", "assistant", { content_type: "reasoning_recap", content: "Thought for 5s" }),
        gpt("a", "r", "assistant", "Rayleigh.", {
          create_time: 1_700_000_009,
          metadata: { model_slug: "gpt-5" },
        }),
      ),
    );
    assert.deepEqual(short, [
      ["user 0", "text Why?"],
      ["assistant 0", "thinking Light\nIt scatters.", "thinking Thought for 5s", "text Rayleigh."],
    ]);
    assert.deepEqual(
      [title, messages.map(({ entry }) => entry.createdAtMs), messages[1]?.entry.model],
      ["The sky", [1_700_000_000_250, 1_700_000_009_000], "gpt-5"],
    );
  });

  it("a message to a tool is a call, and all that the tool says its result", () => {
    const tool = (name: string) => ({ author: { role: "tool", name } });
    const { short } = read(
      chatGpt(
        gpt("u", "root", "user", "Plot it"),
        gpt(
          "c",
          "u",
          "assistant",
          { content_type: "code", language: "python", text: "plot()" },
          { recipient: "python" },
        ),
        gpt(
          "o",
          "c",
          "tool",
          { content_type: "execution_output", text: "done" },
          {
            ...tool("python"),
            metadata: {
              aggregate_result: { messages: [{ message_type: "image", image_url: "file-service://file-1" }] },
            },
          },
        ),
        gpt("h", "o", "system", ""),
        gpt(
          "q",
          "h",
          "tool",
          { content_type: "tether_quote", title: "Docs", url: "https://a.test", text: "plot" },
          tool("browser"),
        ),
        gpt("d", "q", "assistant", { content_type: "code", text: '{"q":"sky"}' }, { recipient: "web.run" }),
        gpt("e", "d", "tool", { content_type: "system_error", name: "Timeout", text: "Too slow" }, tool("web")),
        gpt("f", "e", "assistant", "Here."),
        gpt("m", "f", "tool", "Remembered.", tool("bio")),
      ),
    );
    assert.deepEqual(short, [
      ["user 0", "text Plot it"],
      ["assistant 0 batch 1", 'call c python {"input":"plot()"}'],
      [
        "user 0 batch 1",
        "result c ok done\n[picture]\nDocs\n\nhttps://a.test\n\nplot",
        "attachment picture: [picture, file-service://file-1, not in the file]",
      ],
      ["assistant 0 batch 3", 'call d web.run {"q":"sky"}'],
      ["user 0 batch 3", "result d error Too slow"],
      ["assistant 0", "text Here."],
      ["user 6", "attachment bio: Remembered."],
    ]);
  });

  it("branches, of which the current one is shown", () => {
    const { short, parents, shown } = read(
      JSON.stringify([
        conversation(
          [
            gpt("u1", "root", "user", "first"),
            gpt("a1", "u1", "assistant", "answer"),
            gpt("u2", "root", "user", "edited"),
            gpt("a2", "u2", "assistant", "one"),
            gpt("a3", "u2", "assistant", "two"),
            root,
          ],
          { current_node: "a1" },
        ),
      ]),
    );
    assert.deepEqual(
      [short.map(([, ...parts]) => parts.join()), parents, shown],
      [
        ["text first", "text answer", "text edited", "text one", "text two"],
        [-1, 0, -1, 2, 2],
        [0, 1],
      ],
    );
  });

  it("pictures and files by what is known of them; words beside them", () => {
    const image = {
      content_type: "image_asset_pointer",
      asset_pointer: "sediment://file_1",
      width: 20,
      height: 10,
      size_bytes: 1_234,
    };
    const drawn = {
      content_type: "image_asset_pointer",
      asset_pointer: "sediment://file_9",
      metadata: { dalle: { prompt: "A cat" } },
    };
    const attachments = [
      { id: "file_1", name: "shot.png", mime_type: "image/png", size: 1_234 },
      { id: "file_2", name: "tide.pdf", mime_type: "application/pdf", size: 900 },
    ];
    const parts = [image, "Look", { content_type: "audio_transcription", text: "and hear" }];
    const { short } = read(
      chatGpt(
        gpt("u", "root", "user", { content_type: "multimodal_text", parts }, { metadata: { attachments } }),
        gpt("a", "u", "assistant", { content_type: "multimodal_text", parts: [drawn] }),
      ),
    );
    assert.deepEqual(short, [
      [
        "user 0",
        "attachment shot.png: [picture, sediment://file_1, 20 × 10, 1,234 bytes, not in the file]",
        "text Look\nand hear",
        "attachment tide.pdf: [application/pdf, 900 bytes, not in the file]",
      ],
      ["assistant 0", "attachment picture: [picture, sediment://file_9, not in the file]\nA cat"],
    ]);
  });

  it("instructions of the account, memory and hidden messages are not the user's words", () => {
    const { short, title } = read(
      JSON.stringify({
        ...conversation(
          [
            gpt("i", "root", "user", {
              content_type: "user_editable_context",
              user_profile: "A sailor",
              user_instructions: "Never push.",
            }),
            gpt("m", "i", "system", { content_type: "model_editable_context", model_set_context: "Likes tea" }),
            gpt("h", "m", "user", "Never sleep.", { metadata: { is_visually_hidden_from_conversation: true } }),
            gpt("u", "h", "user", "Why?"),
          ],
          { title: "" },
        ),
      }),
    );
    assert.deepEqual(
      [short, title],
      [
        [
          ["user 0", "attachment custom instructions: A sailor\n\nNever push."],
          ["user 1", "attachment memory: Likes tea"],
          ["user 2", "attachment note: Never sleep."],
          ["user 3", "text Why?"],
        ],
        "Why?",
      ],
    );
  });

  it("sources of an answer are named", () => {
    const references = [
      {
        matched_text: "\uE200cite\uE202turn0\uE201",
        alt: "([A](https://a.test))",
        items: [{ title: "A", url: "https://a.test" }],
      },
      { matched_text: "\uE200hidden\uE201", items: [{ title: "B", url: "https://b.test" }, { url: "https://b.test" }] },
    ];
    const text = "Blue \uE200cite\uE202turn0\uE201.\uE200hidden\uE201";
    const { short } = read(
      chatGpt(
        gpt("u", "root", "user", "Why?"),
        gpt("a", "u", "assistant", text, { metadata: { content_references: references } }),
      ),
    );
    assert.deepEqual(short[1], [
      "assistant 0",
      "text Blue ([A](https://a.test)).",
      "attachment sources: B: https://b.test",
    ]);
  });

  it("an answer that was stopped, and content of a kind that nobody knows", () => {
    const { short, messages } = read(
      chatGpt(
        gpt("u", "root", "user", "Why?"),
        gpt("a", "u", "assistant", "Because", { metadata: { finish_details: { type: "interrupted" } } }),
        gpt("v", "a", "user", "Go on"),
        gpt("b", "v", "assistant", { content_type: "poll", options: ["a"] }, { status: "in_progress" }),
      ),
    );
    assert.deepEqual(short[3], ["assistant 2", 'attachment poll: {"content_type":"poll","options":["a"]}']);
    assert.deepEqual(
      messages.map(({ entry }) => entry.state),
      ["complete", "cancelled", "complete", "interrupted"],
    );
  });

  it("a damaged node costs that node, and what hangs below it stays", () => {
    const nodes = [root, gpt("u", "root", "user", "Why?"), { id: "x", message: 7 }, gpt("a", "x", "assistant", "So.")];
    const { short, shown, history } = read(JSON.stringify([conversation(nodes)]));
    assert.deepEqual(short, [
      ["user 0", "text Why?"],
      ["assistant 0", "text So."],
    ]);
    assert.deepEqual(shown, [0, 1]);
    assert.deepEqual(importReportOf(history), {
      message: 1,
      count: 1,
      damaged: [{ line: 1, text: '{"id":"x","message":7}' }],
    });
  });

  it("each conversation of a file is one of its own, and the last one tells what is none", () => {
    const one = conversation([root, gpt("u", "root", "user", "Why?")], { title: "One" });
    const unused = conversation([root], { title: "Unused" });
    const two = conversation([root, gpt("u", "root", "user", "How?")], { title: "Two" });
    const found = [...readAllForeign(JSON.stringify([one, 7, unused, { ...two, mapping: [] }, two]))];
    assert.deepEqual(
      found.map((each) => each.ok && [each.value.conversation.title, each.value.messages, each.value.damaged]),
      [
        ["One", [{ role: "user", parts: [{ kind: "text", text: "Why?" }] }], []],
        [
          "Two",
          [{ role: "user", parts: [{ kind: "text", text: "How?" }] }],
          [
            { line: 2, text: "7" },
            { line: 4, text: JSON.stringify({ ...two, mapping: [] }) },
          ],
        ],
      ],
    );
  });

  it("without a message is nothing to import", () => {
    const found = readForeign(JSON.stringify([{ title: "a", mapping: {} }]));
    assert.ok(found?.ok === false);
    assert.equal(found.error.expected, "at least one message");
  });
});

describe("§11 Continue's sessions:", () => {
  const session = (history: readonly unknown[], more: object = {}) =>
    JSON.stringify({ sessionId: "s", title: "New Session", workspaceDirectory: "/shop", history, ...more });
  const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: `{"path":"${id}"}` } });

  it("words with pictures and context, thinking, calls with results, usage and model", () => {
    const content = [
      { type: "text", text: "Fix it" },
      { type: "imageUrl", imageUrl: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      { type: "imageUrl", imageUrl: { url: "https://a.test/b.png" } },
    ];
    const usage = {
      promptTokens: 900,
      completionTokens: 40,
      promptTokensDetails: { cachedTokens: 300, cacheWriteTokens: 5 },
    };
    const { short, title, messages, records } = read(
      session(
        [
          { message: { role: "system", content: "Be brief." }, contextItems: [] },
          {
            message: { role: "user", content },
            contextItems: [{ name: "a.ts", description: "src/a.ts", content: "Never push." }],
          },
          { message: { role: "thinking", content: "Look first." }, contextItems: [] },
          {
            message: { role: "assistant", content: "I look.", toolCalls: [call("x"), call("y"), call("z")], usage },
            contextItems: [],
            promptLogs: [{ modelTitle: "Sonnet", prompt: "all", completion: "that" }],
            toolCallStates: [
              {
                toolCallId: "x",
                toolCall: call("x"),
                status: "done",
                output: [{ name: "x", content: "const a = 1;" }],
              },
              { toolCallId: "y", toolCall: call("y"), status: "errored", output: [{ content: "gone" }] },
              { toolCallId: "z", toolCall: call("z"), status: "canceled" },
            ],
          },
          { message: { role: "tool", toolCallId: "x", content: "const a = 1;" }, contextItems: [] },
          {
            message: { role: "assistant", content: "Done." },
            contextItems: [],
            reasoning: { active: false, text: "All read.", startAt: 5_000, endAt: 6_000 },
          },
        ],
        { chatModelTitle: "Opus" },
      ),
    );
    assert.deepEqual(short, [
      ["user 0", "attachment system: Be brief."],
      [
        "user 1",
        "text Fix it",
        "image image/png",
        "attachment picture: https://a.test/b.png",
        "attachment src/a.ts: Never push.",
      ],
      [
        "assistant 1 batch 2",
        "thinking Look first.",
        "text I look.",
        'call x read {"path":"x"}',
        'call y read {"path":"y"}',
        'call z read {"path":"z"}',
      ],
      ["user 1 batch 2", "result x ok const a = 1;", "result y error gone", "result z interrupted "],
      ["assistant 1", "thinking All read.", "text Done."],
    ]);
    assert.deepEqual(
      [title, messages[2]?.entry.model, messages[4]?.entry.model, messages[4]?.entry.createdAtMs],
      ["Fix it", "Sonnet", "Opus", 6_000],
    );
    assert.deepEqual(
      records.flatMap((record) =>
        record.kind === "usage"
          ? [[record.model, record.inputTokens, record.outputTokens, record.cacheReadTokens, record.cacheWriteTokens]]
          : [],
      ),
      [["Sonnet", 900, 40, 300, 5]],
    );
  });

  it("a result that only a message of the tool has, and a call that only a state has", () => {
    const { short, title } = read(
      session(
        [
          { message: { role: "user", content: "Go" } },
          { message: { role: "assistant", content: "" }, toolCallState: { toolCallId: "x", toolCall: call("x") } },
          { message: { role: "tool", toolCallId: "x", content: "seen" } },
        ],
        { title: "Tides" },
      ),
    );
    assert.deepEqual(short, [
      ["user 0", "text Go"],
      ["assistant 0 batch 1", 'call x read {"path":"x"}'],
      ["user 0 batch 1", "result x ok seen"],
    ]);
    assert.equal(title, "Tides");
  });

  it("a compaction is a summary, after what it stands for", () => {
    const { short, summaries } = read(
      session([
        { message: { role: "user", content: "Go" } },
        { message: { role: "assistant", content: "Gone." }, conversationSummary: "They went." },
        { message: { role: "user", content: "And back" } },
      ]),
    );
    assert.deepEqual(summaries, ["0 to 1, level 1: They went."]);
    assert.deepEqual(short.slice(2), [["user 2", "text And back"]]);
  });

  it("a damaged item costs that item", () => {
    const { short, history } = read(
      session([{ message: { role: "robot" } }, { message: { role: "user", content: "Go" } }]),
    );
    assert.deepEqual(short, [["user 0", "text Go"]]);
    assert.deepEqual(importReportOf(history)?.damaged, [{ line: 1, text: '{"message":{"role":"robot"}}' }]);
  });
});

describe("§11 OpenHands' trajectories:", () => {
  const event = (id: number, source: string, more: object) => ({
    id,
    timestamp: `2026-03-01T10:00:0${id}.5`,
    source,
    ...more,
  });
  const asked = event(0, "user", { message: "Fix it", action: "message", args: { content: "Fix it" } });
  const response = {
    id: "r1",
    model: "sonnet",
    choices: [
      {
        message: {
          content: "I look.",
          reasoning_content: "Hm.",
          tool_calls: [
            { id: "x", function: { name: "bash", arguments: '{"command":"ls"}' } },
            { id: "y", function: { name: "view", arguments: '{"path":"a"}' } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 90, completion_tokens: 5, cache_read_input_tokens: 60, cache_creation_input_tokens: 7 },
  };
  const called = (name: string, id: string) => ({
    tool_call_metadata: { function_name: name, tool_call_id: id, model_response: response },
  });
  const events = [
    event(0, "agent", { action: "system", args: { content: "You are an agent." } }),
    event(1, "user", {
      action: "message",
      args: { content: "Fix it", image_urls: ["data:image/png;base64,iVBORw0KGgo="] },
    }),
    event(2, "environment", { observation: "agent_state_changed", content: "", extras: { agent_state: "running" } }),
    event(3, "environment", { observation: "recall", content: "Added", extras: { repo_name: "shop", knowledge: [] } }),
    event(4, "agent", { action: "run", args: { command: "ls", thought: "I look." }, ...called("bash", "x") }),
    event(5, "agent", { action: "read", args: { path: "a", thought: "I look." }, ...called("view", "y") }),
    event(6, "agent", { observation: "run", cause: 4, content: "a b", success: false, ...called("bash", "x") }),
    event(7, "agent", { observation: "user_rejected", cause: 5, content: "No.", ...called("view", "y") }),
    event(8, "agent", { action: "condensation", args: { forgotten_event_ids: [1], summary: "It was fixed." } }),
    event(9, "agent", { action: "finish", message: "All done!", args: { final_thought: "Fixed.", thought: "" } }),
  ];

  it("calls with their results, thinking, pictures, usage, times and what is not the user's", () => {
    const { short, title, messages, records } = read(JSON.stringify(events));
    assert.deepEqual(short, [
      ["user 0", "attachment system: You are an agent."],
      ["user 1", "text Fix it", "image image/png"],
      ["user 2", 'attachment recall: Added\n{"repo_name":"shop"}'],
      [
        "assistant 2 batch 3",
        "thinking Hm.",
        "text I look.",
        'call x bash {"command":"ls"}',
        'call y view {"path":"a"}',
      ],
      ["user 2 batch 3", "result x error a b", "result y denied No."],
      ["user 5", "attachment summary: It was fixed."],
      ["assistant 5 batch 6", "text Fixed.", 'call event 9 finish {"final_thought":"Fixed."}'],
      ["user 5 batch 6", "result event 9 interrupted "],
    ]);
    assert.deepEqual(
      [title, messages[3]?.entry.model, messages[3]?.entry.createdAtMs],
      ["Fix it", "sonnet", Date.parse("2026-03-01T10:00:04.500Z")],
    );
    assert.deepEqual(
      records.flatMap((record) =>
        record.kind === "usage"
          ? [[record.model, record.inputTokens, record.outputTokens, record.cacheReadTokens, record.cacheWriteTokens]]
          : [],
      ),
      [["sonnet", 90, 5, 60, 7]],
    );
  });

  const action = event(1, "agent", { action: "run", args: { command: "ls", thought: "I look." } });
  const observation = event(2, "agent", { observation: "run", cause: 1, content: "a b" });
  const files: readonly (readonly [string, string])[] = [
    ["a list", JSON.stringify([asked, action, observation])],
    ["lines", [asked, action, observation].map((each) => JSON.stringify(each)).join("\n")],
    ["the record of a task", JSON.stringify({ instance_id: "a", history: [asked, action, observation] })],
    ["a line of a task", `${JSON.stringify({ instance_id: "a", history: [asked, action, observation] })}\n`],
    [
      "pairs",
      JSON.stringify({
        history: [
          [asked, {}],
          [action, observation],
        ],
      }),
    ],
    ["a trajectory", JSON.stringify({ trajectory: [asked, action, observation] })],
  ];
  for (const [name, text] of files) {
    it(name, () => {
      assert.deepEqual(read(text).short, [
        ["user 0", "text Fix it"],
        ["assistant 0 batch 1", "text I look.", 'call event 1 run {"command":"ls"}'],
        ["user 0 batch 1", "result event 1 ok a b"],
      ]);
    });
  }

  /** An event of the agent SDK. */
  const sdk = (kind: string, id: string, source: string, more: object = {}) => ({
    kind,
    id,
    timestamp: `2026-03-01T10:00:0${id}.5`,
    source,
    ...more,
  });
  const words = (text: string) => ({ type: "text", text, cache_prompt: false });
  const acted = (id: string, callId: string, more: object = {}) =>
    sdk("ActionEvent", id, "agent", {
      thought: [],
      tool_name: "terminal",
      tool_call_id: callId,
      tool_call: { id: callId, name: "terminal", arguments: `{"command":"${callId}"}`, origin: "completion" },
      action: { kind: "TerminalAction", command: callId },
      llm_response_id: "r1",
      ...more,
    });
  const observed = (id: string, callId: string, observation: object, more: object = {}) =>
    sdk("ObservationEvent", id, "environment", {
      tool_name: "terminal",
      tool_call_id: callId,
      observation: { kind: "TerminalObservation", ...observation },
      ...more,
    });
  const sdkEvents = [
    sdk("SystemPromptEvent", "0", "agent", { system_prompt: words("You are an agent."), tools: [] }),
    sdk("MessageEvent", "1", "user", {
      llm_message: {
        role: "user",
        content: [words("Fix it"), { type: "image", image_urls: ["data:image/png;base64,iVBORw0KGgo="] }],
      },
      extended_content: [words("The repository is a shop.")],
    }),
    sdk("ConversationStateUpdateEvent", "2", "environment", { key: "execution_status", value: "running" }),
    acted("3", "x", { thought: [words("I look.")], reasoning_content: "Hm." }),
    acted("4", "y"),
    observed("5", "x", { content: [words("a b"), { type: "image", image_urls: ["https://example.com/a.png"] }] }),
    observed("6", "y", { content: "gone", is_error: true }, { extended_content: [words("Be careful.")] }),
    acted("7", "z", { llm_response_id: "r2", tool_call: undefined }),
    sdk("UserRejectObservation", "8", "environment", {
      tool_call_id: "z",
      tool_name: "terminal",
      rejection_reason: "No.",
    }),
    sdk("Condensation", "9", "environment", { forgotten_event_ids: ["1"], summary: "It was fixed." }),
    sdk("CondensationSummaryEvent", "10", "environment", { summary: "It was fixed." }),
    sdk("ConversationErrorEvent", "11", "environment", { code: "LLMError", detail: "No quota." }),
    sdk("ACPToolCallEvent", "12", "agent", {
      tool_call_id: "w",
      title: "Read a.ts",
      tool_kind: "read",
      status: "in_progress",
      raw_input: { path: "a.ts" },
    }),
    sdk("ACPToolCallEvent", "13", "agent", {
      tool_call_id: "w",
      title: "Read a.ts",
      tool_kind: "read",
      status: "completed",
      raw_input: { path: "a.ts" },
      content: [{ type: "content", content: words("const a = 1;") }],
    }),
    acted("14", "v", {
      llm_response_id: "r3",
      tool_name: "finish",
      tool_call: { id: "v", name: "finish", arguments: '{"message":"Fixed."}' },
      action: { kind: "FinishAction", message: "Fixed." },
    }),
    sdk("MessageEvent", "15", "agent", {
      llm_response_id: "r4",
      llm_message: {
        role: "assistant",
        content: [words("Done.")],
        thinking_blocks: [{ type: "thinking", thinking: "So.", signature: "x" }],
      },
    }),
    sdk("MessageEvent", "16", "user", { sender: "planner", llm_message: { role: "user", content: [words("Go on.")] } }),
  ];
  const sdkShort = [
    ["user 0", "attachment system: You are an agent."],
    ["user 1", "text Fix it", "image image/png", "attachment note: The repository is a shop."],
    [
      "assistant 1 batch 2",
      "thinking Hm.",
      "text I look.",
      'call x terminal {"command":"x"}',
      'call y terminal {"command":"y"}',
    ],
    [
      "user 1 batch 2",
      "result x ok a b\n[picture]",
      "result y error gone\nBe careful.",
      "attachment picture: https://example.com/a.png",
    ],
    ["assistant 1 batch 4", 'call z terminal {"command":"z"}'],
    ["user 1 batch 4", "result z denied No."],
    ["user 6", "attachment summary: It was fixed."],
    ["user 7", "attachment error: LLMError: No quota."],
    ["assistant 7 batch 8", 'call w read {"path":"a.ts"}'],
    ["user 7 batch 8", "result w ok const a = 1;"],
    ["assistant 7 batch 10", "text Fixed.", 'call v finish {"message":"Fixed."}'],
    ["user 7 batch 10", "result v interrupted "],
    ["assistant 7", "thinking So.", "text Done."],
    ["user 13", "attachment planner: Go on."],
  ];
  for (const [name, text] of [
    ["a list", JSON.stringify(sdkEvents)],
    ["lines", sdkEvents.map((each) => JSON.stringify(each)).join("\n")],
    ["a page of the agent server", JSON.stringify({ items: sdkEvents, next_page_id: null })],
    ["a record of a task", JSON.stringify({ instance_id: "shop-1", history: sdkEvents })],
  ] as const) {
    it(`events of the agent SDK, as ${name}`, () => {
      const { short, messages } = read(text);
      assert.deepEqual([short, messages[1]?.entry.createdAtMs], [sdkShort, Date.UTC(2026, 2, 1, 10, 0, 1, 500)]);
    });
  }

  it("events that name their parents are branches; the state says where the conversation is, and its model", () => {
    const said = (id: string, source: string, parent: string | null, text: string) =>
      sdk("MessageEvent", id, source, { parent_id: parent, llm_message: { content: text } });
    const events = [
      said("1", "user", "__root__", "Go"),
      said("2", "agent", "1", "Left."),
      sdk("PauseEvent", "3", "user", { parent_id: "2" }),
      said("4", "agent", "1", "Right."),
    ];
    const state = { id: "c", agent: { llm: { model: "sonnet" } }, leaf_event_id: "3" };
    const found = read(JSON.stringify({ base_state: state, events }));
    assert.deepEqual(
      [found.short.map(([, text]) => text), found.parents, found.shown],
      [
        ["text Go", "text Left.", "text Right."],
        [-1, 0, 0],
        [0, 1],
      ],
    );
    assert.deepEqual([found.messages[1]?.entry.model, read(JSON.stringify(events)).shown], ["sonnet", [0, 2]]);
  });

  it("what the user ran by hand, and an error of the surroundings, are no words of theirs", () => {
    const { short } = read(
      JSON.stringify([
        asked,
        event(1, "user", { action: "run", args: { command: "git push" } }),
        event(2, "agent", { observation: "run", cause: 1, content: "pushed" }),
        event(3, "environment", { observation: "error", content: "No quota." }),
      ]),
    );
    assert.deepEqual(short.slice(1), [
      ["user 1", "attachment run: git push"],
      ["user 2", "attachment run: pushed"],
      ["user 3", "attachment error: No quota."],
    ]);
  });

  it("a damaged event costs that event", () => {
    const { short, history } = read(`${JSON.stringify(asked)}\n${JSON.stringify(action).slice(0, -9)}\n{"id":7}`);
    assert.deepEqual(
      [short, importReportOf(history)?.damaged.map(({ line }) => line)],
      [[["user 0", "text Fix it"]], [2, 3]],
    );
  });
});

describe("§11 claude.ai's export:", () => {
  const NOBODY = "00000000-0000-4000-8000-000000000000";
  const said = (uuid: string, parent: string, sender: string, content: unknown, more: object = {}) => ({
    uuid,
    parent_message_uuid: parent,
    sender,
    text: "",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    created_at: "2026-03-01T10:00:00.000Z",
    attachments: [],
    files: [],
    ...more,
  });
  const chat = (messages: readonly object[], more: object = {}) =>
    JSON.stringify([
      { uuid: "c", name: "The sky", created_at: "2026-03-01T10:00:00Z", chat_messages: messages, ...more },
    ]);

  it("an answer is a step for each round of calls", () => {
    const { short, title, messages } = read(
      chat([
        said("u", NOBODY, "human", "Why?"),
        said("a", "u", "assistant", [
          { type: "thinking", thinking: "Hm.", summaries: [{ summary: "Thinking" }] },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "x", name: "web_search", input: { query: "sky" } },
          { type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: "blue" }] },
          { type: "token_budget" },
          { type: "tool_use", id: null, name: "repl", input: { code: "1" } },
          { type: "tool_use", id: null, name: "repl", input: { code: "2" } },
          { type: "tool_result", tool_use_id: null, content: "one", is_error: true },
          { type: "tool_result", tool_use_id: null, content: "two" },
          { type: "text", text: "Rayleigh." },
        ]),
        said("v", "a", "human", "Thanks"),
      ]),
    );
    assert.deepEqual(short, [
      ["user 0", "text Why?"],
      ["assistant 0 batch 1", "thinking Hm.", "text I look.", 'call x web_search {"query":"sky"}'],
      ["user 0 batch 1", "result x ok blue"],
      ["assistant 0 batch 3", 'call a call 0 repl {"code":"1"}', 'call a call 1 repl {"code":"2"}'],
      ["user 0 batch 3", "result a call 0 error one", "result a call 1 ok two"],
      ["assistant 0", "text Rayleigh."],
      ["user 6", "text Thanks"],
    ]);
    assert.deepEqual([title, messages[0]?.entry.createdAtMs], ["The sky", Date.parse("2026-03-01T10:00:00Z")]);
  });

  it("branches, and the one that is named is shown", () => {
    const messages = [
      said("u", NOBODY, "human", "first"),
      said("a", "u", "assistant", "one"),
      said("e", "u", "assistant", []),
      said("b", "e", "assistant", "two"),
      said("w", NOBODY, "human", "edited"),
    ];
    const [last, named] = [
      read(chat(messages)),
      read(chat(messages, { current_leaf_message_uuid: "a", model: "opus" })),
    ];
    assert.deepEqual(
      [last.parents, last.shown, named.parents, named.shown],
      [[-1, 0, 0, -1], [3], [-1, 0, 0, -1], [0, 1]],
    );
    assert.equal(named.messages[1]?.entry.model, "opus");
  });

  it("pasted text, files and the text of older exports", () => {
    const attachments = [
      { file_name: "", file_type: "txt", file_size: 9, extracted_content: "Low tide." },
      { file_name: "tide.pdf", file_type: "pdf", file_size: 1_200, extracted_content: "" },
    ];
    const files = [{ file_uuid: "f", file_name: "shot.png", file_kind: "image" }];
    const older = { sender: "human", text: "Look", attachments, files, files_v2: files };
    assert.deepEqual(read(chat([older, { sender: "assistant", text: "Seen." }], { name: "" })).short, [
      [
        "user 0",
        "text Look",
        "attachment pasted text: Low tide.",
        "attachment tide.pdf: [pdf, 1,200 bytes, not in the file]",
        "attachment shot.png: [image, not in the file]",
      ],
      ["assistant 0", "text Seen."],
    ]);
  });

  it("a damaged message costs that message", () => {
    const { short, shown, history } = read(
      chat([said("u", NOBODY, "human", "Why?"), { uuid: "x", sender: "robot" }, said("a", "x", "assistant", "So.")]),
    );
    assert.deepEqual(
      [short.length, shown, importReportOf(history)?.damaged],
      [2, [0, 1], [{ line: 1, text: '{"uuid":"x","sender":"robot"}' }]],
    );
  });

  it("a cut file", () => {
    const whole = chat([said("u", NOBODY, "human", "Why?")]);
    const { short, history } = read(`${whole.slice(0, -1)},${whole.slice(1, -30)}`);
    assert.deepEqual([short, importReportOf(history)?.count], [[["user 0", "text Why?"]], 1]);
  });
});

describe("§11 aider's history:", () => {
  const marked = [
    "",
    "# aider chat started at 2026-03-01 10:00:00",
    "",
    "> Model: sonnet with diff edit format  ",
    "> Git repo: none  ",
    "",
    "#### Fix it  ",
    "#### and test  ",
    "",
    "#### Steps",
    "I look.",
    "> a quote",
    "```",
    "#### a heading",
    "```",
    "",
    "> Tokens: 4.2k sent, 1,200 cache hit, 320 received. Cost: $0.02 message, $0.05 session.  ",
    "> Applied edit to a.ts  ",
    "",
    "#### /exit  ",
    "",
    "# aider chat started at 2026-03-02 11:00:00",
    "",
    "#### Why?  ",
    "",
    "So.",
  ];

  it("what aider writes is told from the model's headings and quotes", () => {
    const { short, title, messages, records } = read(marked.join("\n"));
    assert.deepEqual(short, [
      ["user 0", "attachment aider: aider chat started at 2026-03-01 10:00:00"],
      ["user 1", "attachment aider: Model: sonnet with diff edit format\nGit repo: none"],
      ["user 2", "text Fix it\nand test"],
      ["assistant 2", "text #### Steps\nI look.\n> a quote\n```\n#### a heading\n```"],
      [
        "user 4",
        "attachment aider: Tokens: 4.2k sent, 1,200 cache hit, 320 received. Cost: $0.02 message, $0.05 session.\nApplied edit to a.ts",
      ],
      ["user 5", "text /exit"],
      ["user 6", "attachment aider: aider chat started at 2026-03-02 11:00:00"],
      ["user 7", "text Why?"],
      ["assistant 7", "text So."],
    ]);
    const [first, second] = ["2026-03-01T10:00:00", "2026-03-02T11:00:00"].map((time) => Date.parse(time));
    assert.deepEqual(
      [title, messages[3]?.entry.model, messages[3]?.entry.createdAtMs, messages[8]?.entry.createdAtMs],
      ["Fix it", "sonnet", first, second],
    );
    assert.deepEqual(
      records.filter(({ kind }) => kind === "usage"),
      [
        {
          kind: "usage",
          message: 3,
          model: "sonnet",
          inputTokens: 5_400,
          outputTokens: 320,
          cacheReadTokens: 1_200,
          cacheWriteTokens: 0,
          costUsd: 0.02,
          atMs: first,
          inOrigin: true,
        },
      ],
    );
  });

  it("without the blanks at the ends of lines", () => {
    const text = "# aider chat started at 2026-03-01 10:00:00\r\n\r\n#### Why?\r\n\r\nSo.\r\n\r\n> Bye\r\n";
    assert.deepEqual(read(text).short.slice(1), [
      ["user 1", "text Why?"],
      ["assistant 1", "text So."],
      ["user 3", "attachment aider: Bye"],
    ]);
  });
});

describe("§11 SWE-agent's trajectories:", () => {
  const traj = (history: readonly unknown[], trajectory: readonly unknown[] = []) =>
    JSON.stringify({ environment: "e", trajectory, history, info: {} });

  it("calls with their observations, and what is not the user's", () => {
    const { short, history } = read(
      traj([
        { role: "system", content: "You are an agent.", message_type: "system_prompt" },
        { role: "user", content: "Like this.", is_demo: true },
        { role: "user", content: [{ type: "text", text: "Fix it" }], message_type: "observation" },
        { role: "robot", content: "lost" },
        {
          role: "assistant",
          content: "I look.",
          action: "ls",
          thinking_blocks: [{ type: "thinking", thinking: "Hm." }],
          tool_calls: [{ id: "x", function: { name: "bash", arguments: '{"command":"ls"}' } }],
        },
        {
          role: "tool",
          content: [
            { type: "text", text: "a b" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          ],
          tool_call_ids: ["x"],
        },
        { role: "assistant", content: "I edit.\n```\nedit\n```", thought: "I edit.", action: "edit" },
        { role: "user", content: "edited" },
        { role: "assistant", content: "Done." },
      ]),
    );
    assert.deepEqual(short, [
      ["user 0", "attachment system: You are an agent."],
      ["user 1", "attachment demonstration: Like this."],
      ["user 2", "text Fix it"],
      ["assistant 2 batch 3", "thinking Hm.", "text I look.", 'call x bash {"command":"ls"}'],
      ["user 2 batch 3", "result x ok a b\n[picture: image/png]", "image image/png"],
      ["assistant 2 batch 5", "text I edit.\n```\nedit\n```", 'call action 0 command {"command":"edit"}'],
      ["user 2 batch 5", "result action 0 ok edited"],
      ["assistant 2", "text Done."],
    ]);
    assert.deepEqual(importReportOf(history)?.damaged, [{ line: 4, text: '{"role":"robot","content":"lost"}' }]);
  });

  it("a demonstration, which has nothing but a history", () => {
    const history = [{ role: "user", content: "Fix it", agent: "main", message_type: "observation" }];
    assert.deepEqual(read(JSON.stringify({ history })).short, [["user 0", "text Fix it"]]);
  });

  it("steps without a history", () => {
    assert.deepEqual(
      read(traj([], [{ thought: "I look.", action: "ls", observation: "a b" }, { thought: "Done." }])).short,
      [
        ["assistant 0 batch 0", "text I look.", 'call action 0 command {"command":"ls"}'],
        ["user 0 batch 0", "result action 0 ok a b"],
        ["assistant 0", "text Done."],
      ],
    );
  });
});
