import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createOllamaProvider, type ContextCut, type OllamaSettings } from "../../../src/adapters/ollama/client.ts";
import { OllamaDecoder } from "../../../src/adapters/ollama/decode.ts";
import { plannedWindow } from "../../../src/adapters/ollama/modelFacts.ts";
import { jsonLines } from "../../../src/adapters/ollama/ndjson.ts";
import { promptContext } from "../../../src/core/context/request/promptContext.ts";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import type { StreamOptions } from "../../../src/core/stream/provider.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import { member } from "../../servers/wireJson.ts";
import { OLLAMA_MODELS, startOllamaServer, type OllamaOptions } from "../../servers/ollamaServer.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, fold, nameOf, NEVER } from "../../support/models/providerRequests.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const MODEL = modelId("qwen3:8b");

/** A question of `tokens` tokens, planned for a window of `contextWindow` tokens. */
function question(tokens: number, contextWindow: number): PreparedContext {
  const request = promptContext({
    model: MODEL,
    limits: { contextWindow, maxOutput: 100 },
    systemPrompt: "",
    messages: [textMessage("user", "word".repeat(tokens))],
    tokens: [{ cl100k: tokens, o200k: tokens }],
  });
  assert.ok(request.ok);
  return request.value;
}

describe("Ollama provider", () => {
  let server: ModelServer;
  afterEach(() => server.close());
  const start = async (options: OllamaOptions = {}): Promise<void> => {
    server = await startOllamaServer(options);
  };
  const provider = (settings: Partial<OllamaSettings> = {}): ReturnType<typeof guardedProvider> =>
    guardedProvider(createOllamaProvider({ baseUrl: server.url, ...settings }), realClock);
  const chats = (): readonly unknown[] =>
    server.requests.filter(({ path }) => path === "/api/chat").map(({ body }) => body);

  it("lists chat models with their usable context windows, loaded models first", async () => {
    await start({
      models: [...OLLAMA_MODELS, { id: "own:1b", contextWindow: 8_192, maxOutput: 1, ownContext: 6_000 }],
    });
    const asked = provider();
    await ask(asked, modelId("tiny:latest"), question(10, 2_000));
    const listed = await asked.listModels(NEVER);
    assert.ok(listed.ok);
    assert.deepEqual(
      listed.value.map(({ id, limits }) => [id, limits]),
      [
        ["tiny:latest", { contextWindow: 2_048 }],
        ["qwen3:8b", { contextWindow: 32_768 }],
        ["llama3.2:3b", { contextWindow: 32_768 }],
        ["gemma3:4b", { contextWindow: 32_768 }],
        ["own:1b", { contextWindow: 6_000 }],
      ],
    );
    assert.deepEqual(
      listed.value.flatMap(({ id, callsTools }) => (callsTools === false ? [id] : [])),
      ["gemma3:4b"],
    );
  });

  it("requests the planned context window and forbids truncation", async () => {
    await start();
    const { end } = await ask(provider(), MODEL, question(20_000, 30_000));
    assert.equal(nameOf(end), "endTurn");
    const [body] = chats();
    assert.deepEqual(
      [member(body, "options"), member(body, "truncate"), member(body, "shift")],
      [{ num_ctx: 30_000, num_predict: 500 }, false, false],
    );
  });

  it("limits the requested context window to the model's and does not send longer prompts", async () => {
    await start();
    await ask(provider(), MODEL, question(40_000, 100_000));
    assert.deepEqual(member(member(chats()[0], "options"), "num_ctx"), 40_960);
    const { end } = await ask(provider(), MODEL, question(41_000, 100_000));
    assert.deepEqual([nameOf(end), chats().length], ["contextOverflow", 1]);
  });

  it("29.3 says what is waited for: the model is loaded, then what is not cached is read", async () => {
    await start();
    const asked = provider();
    const first = async (prompt: PreparedContext): Promise<unknown> => {
      for await (const event of asked.stream(prompt, { model: MODEL, maxOutputTokens: 500 }, NEVER)) {
        if (event.kind === "reading" || event.kind === "waiting" || event.kind === "text") return event;
      }
      return undefined;
    };
    const loading = { kind: "waiting", why: "loading", ms: 0 };
    const reading = (freshTokens: number) => ({ kind: "reading", freshTokens, readTokens: 0, isEstimate: true });
    await ask(asked, MODEL, question(2_000, 30_000));
    assert.deepEqual(await first(question(3_000, 30_000)), reading(3_002), "another question");
    assert.deepEqual(await first(question(3_000, 30_000)), reading(0), "the same again");
    assert.deepEqual(await first(question(3_000, 20_000)), loading, "with another window");
    assert.deepEqual(await first(question(3_000, 20_000)), reading(0));
  });

  it("29.3 reports how fast it was, except of models that are not on the machine", async () => {
    await start({ models: [...OLLAMA_MODELS, { id: "big:cloud", contextWindow: 8_192, maxOutput: 1 }] });
    const speeds: unknown[] = [];
    const asked = provider({ onSpeed: (model, speed) => speeds.push([model, speed]) });
    const durations = { prompt_eval_duration: 10e9, eval_duration: 2e9 };
    const answer = { text: "Yes.", usage: { inputTokens: 2_000, outputTokens: 40 }, extra: durations };
    server.script({ answer }, { answer });
    await ask(asked, MODEL, question(2_000, 30_000));
    await ask(asked, modelId("big:cloud"), question(20, 8_000));
    assert.deepEqual(speeds, [
      [MODEL, { reads: { tokens: 2_000, perSecond: 200 }, writes: { tokens: 40, perSecond: 20 } }],
    ]);
  });

  describe("context window reports", () => {
    const check = async (
      options: OllamaOptions,
      tokens: number,
      expected: readonly Partial<ContextCut>[],
    ): Promise<void> => {
      await start(options);
      const cuts: ContextCut[] = [];
      await ask(provider({ onCut: (cut) => cuts.push(cut) }), MODEL, question(tokens, 30_000));
      await whenTrue(() => cuts.length >= expected.length);
      await sleep(20);
      assert.deepEqual(
        cuts.map(({ of, wantedTokens, givenTokens }) => ({ of, wantedTokens, givenTokens })),
        expected,
      );
    };
    it("reports a context window smaller than requested", () =>
      check({ mostContext: 8_192 }, 100, [{ of: "window", wantedTokens: 30_000, givenTokens: 8_192 }]));
    it("reports nothing when the server allocated the requested window", () => check({}, 100, []));
  });

  it("reports a prompt of which the server read fewer tokens than were sent", async () => {
    await start();
    const cuts: ContextCut[] = [];
    server.script({ answer: { text: "Yes.", usage: { inputTokens: 2_048, outputTokens: 1 } } });
    await ask(provider({ onCut: (cut) => cuts.push(cut) }), MODEL, question(9_000, 30_000));
    await whenTrue(() => cuts.length > 0);
    assert.deepEqual(
      cuts.map(({ of, givenTokens }) => [of, givenTokens]),
      [["prompt", 2_048]],
    );
  });

  it("accepts a complete JSON answer instead of a stream", async () => {
    await start();
    const call = { function: { name: "now", arguments: { zone: "UTC" } } };
    const message = { role: "assistant", thinking: "Hm.", content: "I look.", tool_calls: [call] };
    const body = JSON.stringify({ message, done: true, done_reason: "stop", prompt_eval_count: 9, eval_count: 4 });
    server.script({ fault: { kind: "raw", status: 200, contentType: "application/json; charset=utf-8", body } });
    const { thinking, text, toolCalls, usage, end } = await ask(provider(), MODEL);
    assert.deepEqual(
      [thinking, text, toolCalls, usage?.inputTokens, nameOf(end)],
      ["Hm.", "I look.", [{ id: "call_0", name: "now", inputJson: '{"zone":"UTC"}' }], 9, "toolUse"],
    );
    const other = JSON.stringify({ message: "The model is loading." });
    server.script({ fault: { kind: "raw", status: 200, contentType: "application/json", body: other } });
    assert.equal(nameOf((await ask(provider(), MODEL)).end), "notAStream");
  });

  it("omits thinking for a model that does not support it", async () => {
    await start();
    const options: StreamOptions = { model: modelId("gemma3:4b"), maxOutputTokens: 50, reasoningEffort: "high" };
    const events: StreamEvent[] = [];
    for await (const event of provider().stream(question(10, 2_000), options, NEVER)) events.push(event);
    assert.deepEqual([nameOf(fold(events).end), member(chats()[0], "think")], ["endTurn", undefined]);
  });

  it("turns thinking on or off for a model that supports it", async () => {
    await start();
    const thought = async (reasoningEffort: "none" | "high"): Promise<unknown> => {
      const options: StreamOptions = { model: MODEL, maxOutputTokens: 50, reasoningEffort };
      const events: StreamEvent[] = [];
      for await (const event of provider().stream(question(10, 2_000), options, NEVER)) events.push(event);
      assert.equal(nameOf(fold(events).end), "endTurn");
      return member(chats().at(-1), "think");
    };
    assert.deepEqual([await thought("high"), await thought("none")], [true, false]);
  });

  it("reports a model that does not exist", async () => {
    await start();
    assert.equal(nameOf((await ask(provider(), modelId("nobody:7b"))).end), "MODEL_UNKNOWN");
  });
});

describe("plannedWindow", () => {
  const check = (
    facts: Parameters<typeof plannedWindow>[0],
    allocated: number | undefined,
    expected: number | undefined,
  ) => {
    assert.equal(plannedWindow(facts, allocated), expected);
  };
  it("is the model's context length, limited to what usually fits in memory", () => {
    check({ contextLength: 8_192 }, undefined, 8_192);
    check({ contextLength: 262_144 }, undefined, 32_768);
    check({ contextLength: 262_144 }, 4_096, 32_768);
  });
  it("is the size configured by the user or allocated by the server when that is larger", () => {
    check({ contextLength: 262_144 }, 131_072, 131_072);
    check({ contextLength: 262_144, configuredContext: 65_536 }, undefined, 65_536);
    check({ contextLength: 8_192, configuredContext: 65_536 }, undefined, 8_192);
  });
  it("falls back to the allocated size, or undefined, when the model's length is unknown", () => {
    check({}, 16_384, 16_384);
    check({}, undefined, undefined);
  });
});

describe("jsonLines", () => {
  const read = async (text: string, pieceBytes: number): Promise<readonly unknown[]> => {
    const bytes = Buffer.from(text);
    async function* body(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    const values: unknown[] = [];
    for await (const value of jsonLines(body())) values.push(value);
    return values;
  };
  for (const pieceBytes of [1, 2, 3, 7, 1_000]) {
    it(`reads the same in pieces of ${String(pieceBytes)} bytes`, async () => {
      const text = '{"a":"é🎉日"}\r\n\n{"b":"\\n"}\n[1]';
      assert.deepEqual(await read(text, pieceBytes), [{ a: "é🎉日" }, { b: "\n" }, [1]]);
    });
  }
  it("skips a truncated last line", async () => {
    assert.deepEqual(await read('{"a":1}\n{"b":', 4), [{ a: 1 }]);
  });
  it("rejects a line that is not JSON", async () => {
    await assert.rejects(read("<html>\n", 4), SyntaxError);
  });
});

describe("Ollama decoder", () => {
  const decode = (...lines: readonly unknown[]): readonly StreamEvent[] => {
    const decoder = new OllamaDecoder({ provider: "ollama", secrets: [] });
    return lines.flatMap((line) => decoder.decode(line));
  };
  const call = (id: string | undefined, name: string): object => ({
    message: { tool_calls: [{ ...(id === undefined ? {} : { id }), function: { name, arguments: { a: 1 } } }] },
  });
  const told = (id: string, name: string): readonly object[] => [
    { kind: "toolCallStart", callId: toolCallId(id), name },
    { kind: "toolCallArgs", callId: toolCallId(id), json: '{"a":1}' },
  ];
  it("assigns ids to calls without one", () => {
    assert.deepEqual(decode(call(undefined, "f"), call(undefined, "g")), [
      ...told("call_0", "f"),
      ...told("call_1", "g"),
    ]);
  });
  it("reports a repeated call once", () => {
    assert.deepEqual(decode(call("x", "f"), call("x", "f")), told("x", "f"));
  });
  it("assigns distinct ids to different calls with the same or an already assigned id", () => {
    assert.deepEqual(decode(call("x", "f"), call("x", "g")), [...told("x", "f"), ...told("x_2", "g")]);
    assert.deepEqual(decode(call(undefined, "f"), call("call_0", "f")), [
      ...told("call_0", "f"),
      ...told("call_0_2", "f"),
    ]);
  });
  it("tolerates lines without content", () => {
    assert.deepEqual(decode({}, null, 7, { message: null }, { message: { content: "" } }), []);
  });
  it("reports an error line within the stream as a failure", () => {
    const [event] = decode({ error: "the input length exceeds the context length" });
    assert.equal(event?.kind === "failed" && nameOf({ error: event.error }), "contextOverflow");
  });
});
