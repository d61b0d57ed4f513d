import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { summaryMessage } from "../../../src/core/context/request/apiMessages.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage, type Message, type Part } from "../../../src/core/message.ts";
import type { Provider, StreamOptions } from "../../../src/core/stream/provider.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";
import { BINDING_CONTROLS } from "../../servers/anthropicBinding.ts";
import type { ModelServer, ServedModel } from "../../servers/protocol.ts";
import { member, list, text } from "../../servers/wireJson.ts";
import { realClock } from "../../support/clocks.ts";
import { fold, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const KEY = "sk-ant-0123456789abcdef";
const BOUND: ServedModel = {
  id: "claude-sonnet-5-5",
  contextWindow: 1_000_000,
  maxOutput: 64_000,
  bindsThinking: true,
};

describe("Anthropic thinking blocks bound to the messages before them", () => {
  let server: ModelServer;
  let provider: Provider;
  let history: Message[];
  let asked = BOUND;
  const start = async (model: ServedModel = BOUND, refusalStatus = 400): Promise<void> => {
    asked = model;
    server = await startAnthropicServer({ key: KEY, models: [model] });
    server.script({ answer: { thinking: "Let me see.", text: "It is a clamp." } });
    const gateway: typeof fetch = async (input, init) => {
      const { status, headers, body } = await fetch(input, init);
      return new Response(body, { status: status === 400 ? refusalStatus : status, headers });
    };
    const settings = { apiKey: KEY, baseUrl: server.url, fetch: gateway };
    provider = guardedProvider(createAnthropicProvider(settings), realClock);
    history = [];
    for (const question of ["One?", "Two?", "Three?"]) await say(question);
    assert.equal(server.requests.length, 3);
  };
  afterEach(() => server.close());

  const ask = async (
    messages: readonly Message[],
    wishes: Partial<StreamOptions> = {},
    systemPrompt = "Be brief.",
  ): Promise<string> => {
    const options = { model: modelId(asked.id), maxOutputTokens: 500, ...wishes };
    const events = [];
    for await (const event of provider.stream(prepared(messages, systemPrompt), options, NEVER)) events.push(event);
    const { text: said, thinking, signatures, end } = fold(events);
    const parts: readonly Part[] = [
      { kind: "thinking", text: thinking, ...(signatures[0] === undefined ? {} : { signature: signatures[0] }) },
      { kind: "text", text: said },
    ];
    history = [...messages, { role: "assistant", parts }];
    return nameOf(end);
  };
  const say = (question: string, wishes: Partial<StreamOptions> = {}): Promise<string> =>
    ask([...history, textMessage("user", question)], wishes);
  /** The history with its first question and answer replaced by a summary. */
  const summarized = (): readonly Message[] => [
    summaryMessage("They asked one."),
    ...history.slice(2),
    textMessage("user", "Four?"),
  ];
  /** For each request after the third: the number of thinking blocks, and whether mismatched ones may be dropped. */
  const sent = (): readonly (readonly [number, boolean])[] =>
    server.requests.slice(3).map(({ body, headers }) => {
      const blocks = list(body, "messages").flatMap((message) => list(message, "content"));
      const drops =
        text(member(member(body, "thinking"), "block_binding"), "prefix_mismatch_behavior") === "drop_block";
      assert.equal(headers["anthropic-beta"], drops ? BINDING_CONTROLS : undefined);
      return [blocks.filter((block) => text(block, "type") === "thinking").length, drops];
    });

  it("are sent back unchanged while the messages before them are unchanged", async () => {
    await start();
    assert.equal(await say("Four?"), "endTurn");
    assert.deepEqual(sent(), [[3, false]]);
  });

  it("do not end a summarized conversation: later requests let the service drop mismatched blocks", async () => {
    await start();
    assert.equal(await ask(summarized()), "endTurn");
    assert.equal(await say("Five?"), "endTurn");
    assert.deepEqual(sent(), [
      [2, false],
      [2, true],
      [3, true],
    ]);
  });

  it("do not end a conversation whose instructions changed", async () => {
    await start();
    assert.equal(await ask([...history, textMessage("user", "Four?")], {}, "Be brief. Use tabs."), "endTurn");
  });

  it("are left out on a mismatch when thinking is disabled, since the service cannot be told to drop them then", async () => {
    await start();
    assert.equal(await ask(summarized(), { reasoningEffort: "none" }), "endTurn");
    assert.deepEqual(
      sent().map(([blocks]) => blocks),
      [2, 2, 0],
    );
  });

  for (const status of [400, 422]) {
    it(`are left out of all later requests when a gateway cannot drop them, with thinking still enabled: ${String(status)}`, async () => {
      await start({ ...BOUND, refuses: ["thinking.block_binding"] }, status);
      assert.equal(await ask(summarized()), "endTurn");
      assert.equal(await say("Five?"), "endTurn");
      assert.deepEqual(sent(), [
        [2, false],
        [2, true],
        [0, false],
        [0, false],
      ]);
      const asked = server.requests.map(({ body }) => text(member(body, "thinking"), "type"));
      assert.deepEqual(new Set(asked), new Set(["adaptive"]));
    });
  }

  it("do not stop an older model from thinking in another conversation", async () => {
    await start({ ...BOUND, id: "claude-sonnet-4-5" });
    const wishes = { maxOutputTokens: 20_000, reasoningEffort: "high" } as const;
    assert.equal(await ask(summarized(), wishes), "endTurn");
    assert.equal(await ask([textMessage("user", "Else?")], wishes), "endTurn");
    assert.deepEqual(
      server.requests.slice(3).map(({ body }) => member(member(body, "thinking"), "budget_tokens")),
      [16_384, undefined, 16_384],
    );
  });
});
