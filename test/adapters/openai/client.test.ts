import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { ChatDecoder } from "../../../src/adapters/openai/chat/decode.ts";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startOpenAiServer, type Dialect } from "../../servers/openaiServer.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const MODELS = [
  { id: "local-7b", contextWindow: 8_192, maxOutput: 2_048 },
  { id: "text-embedding-3", contextWindow: 8_192, maxOutput: 1 },
];

describe("OpenAI-compatible provider", () => {
  describe("reads context windows from servers that report them", () => {
    const check = async (dialect: Dialect, expected: object | undefined): Promise<void> => {
      const server = await startOpenAiServer({ dialect, models: MODELS });
      const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Local", baseUrl: server.url });
      const listed = await provider.listModels(NEVER);
      await server.close();
      assert.ok(listed.ok);
      assert.deepEqual(
        listed.value.map(({ id, limits }) => [id, limits]),
        [["local-7b", expected]],
      );
    };
    it("vLLM", () => check("vllm", { contextWindow: 8_192 }));
    it("OpenRouter", () => check("openRouter", { contextWindow: 8_192, maxOutput: 2_048 }));
    it("Groq", () => check("groq", { contextWindow: 8_192, maxOutput: 2_048 }));
    it("LM Studio: the allocated window, not the possible one", () => check("lmStudio", { contextWindow: 8_192 }));
    it("llama.cpp", () => check("llamaCpp", { contextWindow: 8_192 }));
    it("OpenAI reports none", () => check("openai", undefined));
  });

  it("lists the models of a server that returns a bare array", async () => {
    const provider = createOpenAiProvider({
      name: "openaiCompatible",
      label: "Together",
      baseUrl: "https://together.example/v1",
      fetch: () => Promise.resolve(Response.json([{ id: "meta/llama", context_length: 8_192 }])),
    });
    const offered = { id: "meta/llama", label: "meta/llama", limits: { contextWindow: 8_192 } };
    assert.deepEqual(await provider.listModels(NEVER), { ok: true, value: [offered] });
  });

  it("reads which models can call tools", async () => {
    const check = async (
      dialect: Dialect,
      refuses: readonly string[],
      expected: boolean | undefined,
    ): Promise<void> => {
      const models = [{ id: "local-7b", contextWindow: 8_192, maxOutput: 2_048, refuses }];
      const server = await startOpenAiServer({ dialect, models });
      const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Local", baseUrl: server.url });
      const listed = await provider.listModels(NEVER);
      await server.close();
      assert.deepEqual(listed.ok && listed.value.map(({ callsTools }) => callsTools), [expected]);
    };
    await check("openRouter", [], true);
    await check("openRouter", ["tools"], false);
    await check("vllm", ["tools"], undefined);
  });

  it("sends no key when there is none", async () => {
    const server = await startOpenAiServer({ dialect: "vllm" });
    const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Local", baseUrl: `${server.url}/v1` });
    const { end } = await ask(guardedProvider(provider, realClock), modelId("gpt-6-luna"));
    const [request] = server.requests;
    await server.close();
    assert.deepEqual([nameOf(end), request?.headers.authorization], ["endTurn", undefined]);
  });

  it("reports why the service rejected a request", async () => {
    const server = await startOpenAiServer();
    const settings = { name: "openai", label: "OpenAI", apiKey: "sk-x", baseUrl: server.url } as const;
    const provider = guardedProvider(createOpenAiProvider(settings), realClock);
    const long = await ask(provider, modelId("gpt-tiny-test"), prepared("word ".repeat(6_000)));
    const unknown = await ask(provider, modelId("gpt-3.5-turbo"));
    await server.close();
    assert.deepEqual([nameOf(long.end), nameOf(unknown.end)], ["contextOverflow", "MODEL_UNKNOWN"]);
  });

  it("reports the error of the service behind OpenRouter", async () => {
    const check = async (raw: string, expected: string, reason: string): Promise<void> => {
      const provider = createOpenAiProvider({
        name: "openaiCompatible",
        label: "OpenRouter",
        baseUrl: "https://openrouter.ai/api/v1",
        fetch: () => {
          const error = { message: "Provider returned error", code: 400, metadata: { raw, provider_name: "Any" } };
          return Promise.resolve(Response.json({ error }, { status: 400 }));
        },
      });
      const { end } = await ask(provider, modelId("any/model"));
      const detail = `Provider returned error: ${expected}`;
      const error = { code: "SERVICE_UNAVAILABLE", provider: "openaiCompatible", reason, detail };
      assert.deepEqual(end, { error });
    };
    const wrong = { object: "error", message: "Wrong order of messages." };
    await check(JSON.stringify({ error: { message: "prompt is too long" } }), "prompt is too long", "contextOverflow");
    await check(JSON.stringify(wrong), wrong.message, "badRequest");
    await check("Bad luck.", "Bad luck.", "badRequest");
  });

  it("reports a server's error in whatever shape it comes", async () => {
    const quota = { code: 429, message: "Quota exceeded. Please retry in 40s.", status: "RESOURCE_EXHAUSTED" };
    const limited = { code: "RATE_LIMITED", provider: "openaiCompatible", retryAfterMs: 40_000 };
    const refused = { code: "SERVICE_UNAVAILABLE", provider: "openaiCompatible", reason: "badRequest" };
    const field = { type: "extra_forbidden", loc: ["body", "messages", 0], msg: "No." };
    for (const [status, body, error] of [
      [429, [{ error: quota }], { ...limited, detail: quota.message }],
      [429, { error: quota }, { ...limited, detail: quota.message }],
      [400, { error: "No." }, { ...refused, detail: "No." }],
      [400, { object: "error", message: "No.", type: "BadRequestError", code: 400 }, { ...refused, detail: "No." }],
      [400, { detail: "No." }, { ...refused, detail: "No." }],
      [422, { detail: [field, { ...field, loc: ["body", "n"] }] }, { ...refused, detail: "messages.0: No.; n: No." }],
      [422, { detail: ["No."] }, { ...refused, detail: '422 {"detail":["No."]}' }],
      [422, { object: "error", message: { detail: [field] } }, { ...refused, detail: "messages.0: No." }],
      [
        200,
        { error: { message: "Slow.", code: "429" } },
        { code: "RATE_LIMITED", provider: "openaiCompatible", detail: "Slow." },
      ],
    ] as const) {
      const type = status === 200 ? "text/event-stream" : "application/json";
      const text = status === 200 ? `data: ${JSON.stringify(body)}\n\n` : JSON.stringify(body);
      const provider = createOpenAiProvider({
        name: "openaiCompatible",
        label: "Any",
        baseUrl: "https://any.example/v1",
        fetch: () => Promise.resolve(new Response(text, { status, headers: { "content-type": type } })),
      });
      assert.deepEqual((await ask(provider, modelId("any"))).end, { error });
    }
  });

  describe("decoder", () => {
    const decode = (chunks: readonly object[]): unknown => {
      const decoder = new ChatDecoder({ provider: "openaiCompatible", model: modelId("local-7b"), secrets: [] });
      return [...chunks.flatMap((chunk) => decoder.decode(chunk)), ...decoder.end()];
    };
    const stop = (finish_reason: string): object => ({ choices: [{ delta: {}, finish_reason }] });
    const call = (index: number | undefined, id: string | undefined, args: string): object => ({
      choices: [
        {
          delta: {
            tool_calls: [
              {
                ...(index === undefined ? {} : { index }),
                ...(id === undefined ? {} : { id }),
                function: { name: "f", arguments: args },
              },
            ],
          },
        },
      ],
    });
    const started = (id: string, json: string): readonly object[] => [
      { kind: "toolCallStart", callId: toolCallId(id), name: "f" },
      { kind: "toolCallArgs", callId: toolCallId(id), json },
    ];

    it("accepts nearly empty chunks", () => {
      assert.deepEqual(
        decode([{}, { choices: null }, { choices: [{}] }, { choices: [{ delta: null }] }, { usage: null }]),
        [],
      );
    });
    it("emits no end without a finish reason", () => {
      assert.deepEqual(decode([{ choices: [{ delta: { content: "a" } }] }]), [{ kind: "text", text: "a" }]);
    });
    it("accepts usage before or after the finish reason", () => {
      const usage = {
        kind: "usage",
        usage: { inputTokens: 5, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      };
      const done = { kind: "done", stopReason: "endTurn" };
      assert.deepEqual(decode([stop("stop"), { choices: [], usage: { prompt_tokens: 5 } }]), [usage, done]);
      assert.deepEqual(decode([{ usage: { prompt_tokens: 5 } }, stop("stop")]), [usage, done]);
    });
    it("separates calls that all have index 0", () => {
      assert.deepEqual(decode([call(0, "a", "{}"), call(0, "b", "[]"), stop("stop")]), [
        ...started("a", "{}"),
        ...started("b", "[]"),
        { kind: "done", stopReason: "toolUse" },
      ]);
    });
    it("generates ids for calls without one", () => {
      assert.deepEqual(decode([call(undefined, undefined, "{}"), stop("tool_calls")]), [
        ...started("call_0", "{}"),
        { kind: "done", stopReason: "toolUse" },
      ]);
    });
    it("recognizes a refusal", () => {
      assert.deepEqual(decode([{ choices: [{ delta: { refusal: "No." } }] }, stop("stop")]), [
        { kind: "text", text: "No." },
        { kind: "done", stopReason: "refusal" },
      ]);
    });
    it("reports an answer that the server aborted as a failure", () => {
      const detail = "The server broke the answer off.";
      const error = { code: "SERVICE_UNAVAILABLE", provider: "openaiCompatible", reason: "serverError", detail };
      assert.deepEqual(decode([stop("error")]), [{ kind: "failed", error }]);
    });
  });
});
