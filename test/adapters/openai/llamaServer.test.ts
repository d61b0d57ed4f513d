/** llama.cpp and its router, with answers as build b1-7e4c0a9 sends them, shortened. */

import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { factsOfUnloaded } from "../../../src/adapters/openai/llamaServer.ts";
import { modelId } from "../../../src/core/ids.ts";
import { member } from "../../../src/core/json.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { realClock } from "../../support/clocks.ts";
import { NEVER, prepared } from "../../support/models/providerRequests.ts";

const PATH = "/srv/models/SmolLM2-135M-Instruct.Q4_1.gguf";
const row = (id: string, more: object = {}): object => ({ id, object: "model", owned_by: "llamacpp", ...more });
const props = (contextWindow: number, tools: boolean | undefined, vision: boolean | undefined, slots = 1): object => ({
  default_generation_settings: { n_ctx: contextWindow },
  total_slots: slots,
  ...(vision === undefined ? {} : { modalities: { vision, video: false, audio: false } }),
  ...(tools === undefined ? {} : { chat_template_caps: { supports_tools: tools, supports_tool_calls: tools } }),
});
const routed = (id: string, value: string, args: readonly string[], preset = "", inputs = ["text"]): object =>
  row(id, { status: { value, args, preset }, architecture: { input_modalities: inputs, output_modalities: ["text"] } });

/** Lists the models of a server with these answers by path, and the paths that were asked for. */
async function listed(answers: Readonly<Record<string, unknown>>, baseUrl = "http://127.0.0.1:8080/v1") {
  const asked: string[] = [];
  const provider = createOpenAiProvider({
    name: "openaiCompatible",
    label: "Local",
    baseUrl,
    fetch: (input) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      asked.push(pathname + search);
      const answer = answers[pathname + search];
      return Promise.resolve(answer === undefined ? new Response("", { status: 404 }) : Response.json(answer));
    },
  });
  const models = await provider.listModels(NEVER);
  return { models: models.ok ? models.value : models.error, asked };
}

describe("llama.cpp", () => {
  it("L3 L4 L6 tells window, tools, pictures and slots of its model, whose path is no name, also behind TLS", async () => {
    const list = { object: "list", data: [row(PATH, { meta: { n_ctx: 8_192, n_ctx_train: 131_072 } })] };
    for (const baseUrl of ["http://127.0.0.1:8080/v1", "https://llama.example/v1"]) {
      const { models, asked } = await listed({ "/v1/models": list, "/props": props(4_096, false, false) }, baseUrl);
      assert.deepEqual(models, [
        {
          id: PATH,
          label: PATH,
          limits: { contextWindow: 4_096 },
          callsTools: false,
          seesImages: false,
          slots: 1,
        },
      ]);
      assert.deepEqual(asked, ["/v1/models", "/props"]);
    }
  });

  it("L3 says nothing of tools and pictures where its build does not, or /props is closed", async () => {
    const list = { data: [row("a", { meta: { n_ctx: 8_192 } })] };
    const limits = { contextWindow: 8_192 };
    assert.deepEqual((await listed({ "/v1/models": list, "/props": props(8_192, undefined, undefined, 4) })).models, [
      { id: "a", label: "a", limits, slots: 4 },
    ]);
    assert.deepEqual((await listed({ "/v1/models": list })).models, [{ id: "a", label: "a", limits }]);
  });

  it("L6 as a router tells the window of what is not loaded, and is not asked to load it", async () => {
    const list = {
      data: [
        routed("loaded", "loaded", ["--ctx-size", "4096"], "", ["text", "image"]),
        routed("asleep", "sleeping", []),
        routed("waits", "unloaded", ["llama-server", "--host", "127.0.0.1", "--ctx-size", "4096", "--parallel", "1"]),
        routed("starts", "loading", [], "[starts]\njinja = 1\nctx-size = 2048\n"),
        routed("unknown", "unloaded", ["llama-server", "--jinja"]),
      ],
    };
    const { models, asked } = await listed({
      "/v1/models": list,
      "/props?model=loaded&autoload=false": props(3_072, true, true),
      "/props?model=asleep&autoload=false": props(1_024, false, undefined, 2),
    });
    assert.deepEqual(models, [
      { id: "loaded", label: "loaded", limits: { contextWindow: 3_072 }, callsTools: true, seesImages: true, slots: 1 },
      {
        id: "asleep",
        label: "asleep",
        limits: { contextWindow: 1_024 },
        callsTools: false,
        seesImages: false,
        slots: 2,
      },
      { id: "waits", label: "waits", limits: { contextWindow: 4_096 }, seesImages: false, slots: 1 },
      { id: "starts", label: "starts", limits: { contextWindow: 2_048 }, seesImages: false },
      { id: "unknown", label: "unknown", seesImages: false },
    ]);
    assert.deepEqual(asked, ["/v1/models", "/props?model=loaded&autoload=false", "/props?model=asleep&autoload=false"]);
  });

  it("L3 counts a request by its template, for itself only", async () => {
    const asked: unknown[] = [];
    const answers: Readonly<Record<string, unknown>> = {
      "/v1/models": { data: [row("a")] },
      "/props": props(8_192, true, false),
      "/apply-template": { prompt: "<|im_start|>user\nHi<|im_end|>" },
      "/tokenize": { tokens: [1, 2, 3, 4] },
    };
    const fetcher: typeof fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (typeof init?.body === "string") asked.push([pathname, JSON.parse(init.body)]);
      return Promise.resolve(
        pathname in answers ? Response.json(answers[pathname]) : new Response("", { status: 404 }),
      );
    };
    const of = (name: "openai" | "openaiCompatible") =>
      createOpenAiProvider({ name, label: "", baseUrl: "http://127.0.0.1:8080/v1", fetch: fetcher });
    const provider = of("openaiCompatible");
    const tools = [{ name: "t", description: "d", inputSchemaJson: "{}" }];
    const context = {
      systemPrompt: "S",
      tools,
      messages: [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }],
    } as const;
    const count = () => provider.countTokens?.(context, modelId("a"), NEVER);
    const before = await count();
    await provider.listModels(NEVER);
    assert.deepEqual([of("openai").countTokens, before, await count()], [undefined, undefined, 4]);
    assert.deepEqual(
      asked.map((each) => {
        const [path, body] = each as [string, Record<string, unknown>];
        return [
          path,
          body["model"],
          body["messages"],
          body["content"],
          (body["tools"] as unknown[] | undefined)?.length,
        ];
      }),
      [
        [
          "/apply-template",
          "a",
          [
            { role: "system", content: "S" },
            { role: "user", content: "Hi" },
          ],
          undefined,
          1,
        ],
        ["/tokenize", "a", undefined, "<|im_start|>user\nHi<|im_end|>", undefined],
      ],
    );
  });

  it("29.3 reports how far it has read and how fast it is, of which no other server is asked", async () => {
    const chunk = (choice: object | undefined, more: object = {}): string =>
      `data: ${JSON.stringify({ choices: choice === undefined ? [] : [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`;
    const role = { delta: { role: "assistant", content: null } };
    const progress = (processed: number, time_ms: number) =>
      chunk(role, { prompt_progress: { total: 5_591, cache: 4_510, processed, time_ms } });
    const answer = [
      progress(4_510, 0),
      progress(5_591, 22_857),
      chunk(role),
      chunk({ delta: { content: "ok" } }),
      chunk({ delta: {}, finish_reason: "stop" }),
      chunk(undefined, {
        usage: { completion_tokens: 20, prompt_tokens: 5_591, prompt_tokens_details: { cached_tokens: 4_510 } },
        timings: {
          cache_n: 4_510,
          prompt_n: 1_081,
          prompt_per_second: 47.5,
          predicted_n: 20,
          predicted_per_second: 22.5,
        },
      }),
      "data: [DONE]\n\n",
    ].join("");
    const seenOf = async (owner: string, baseUrl: string): Promise<unknown> => {
      const speeds: unknown[] = [];
      let asked: unknown;
      const fetcher: typeof fetch = (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        if (pathname === "/v1/models") return Promise.resolve(Response.json({ data: [{ id: "a", owned_by: owner }] }));
        if (pathname !== "/v1/chat/completions") return Promise.resolve(new Response("", { status: 404 }));
        asked = typeof init?.body === "string" ? member(JSON.parse(init.body), "return_progress") : undefined;
        return Promise.resolve(new Response(answer, { headers: { "content-type": "text/event-stream" } }));
      };
      const provider = guardedProvider(
        createOpenAiProvider({
          name: "openaiCompatible",
          label: "",
          baseUrl,
          fetch: fetcher,
          onSpeed: (model, speed) => speeds.push([model, speed]),
        }),
        realClock,
      );
      await provider.listModels(NEVER);
      const events: unknown[] = [];
      const options = { model: modelId("a"), maxOutputTokens: 500 };
      for await (const event of provider.stream(prepared("Hi"), options, NEVER)) {
        events.push(event.kind === "reading" ? event : event.kind);
      }
      return { asked, events, speeds };
    };
    const told = [
      { kind: "reading", freshTokens: 1_081, readTokens: 0 },
      { kind: "reading", freshTokens: 1_081, readTokens: 1_081, perSecond: 1_081_000 / 22_857 },
      "text",
      "usage",
      "done",
    ];
    const speeds = [["a", { reads: { tokens: 1_081, perSecond: 47.5 }, writes: { tokens: 20, perSecond: 22.5 } }]];
    const own = "http://127.0.0.1:8080/v1";
    const estimate = { kind: "reading", freshTokens: 5, readTokens: 0, isEstimate: true };
    assert.deepEqual(await seenOf("llamacpp", own), { asked: true, events: told, speeds });
    assert.deepEqual(await seenOf("library", own), { asked: undefined, events: [estimate, ...told], speeds });
    assert.deepEqual(await seenOf("library", "https://api.example.com/v1"), {
      asked: undefined,
      events: told,
      speeds: [],
    });
  });

  for (const [args, preset, contextWindow, slots] of [
    [["--ctx-size", "8192"], "", 8_192, undefined],
    [["--ctx-size=8192"], "", 8_192, undefined],
    [["-c", "8192", "-np", "4"], "", 2_048, 4],
    [["-c", "8192", "-np", "4", "--kv-unified"], "", 8_192, 4],
    [["-c", "8192", "--parallel", "1"], "c = 1024", 8_192, 1],
    [[], "[m]\nLLAMA_ARG_CTX_SIZE = 4096\nparallel = 2\n", 2_048, 2],
    [[], "--ctx-size = 4096", 4_096, undefined],
    [["--ctx-size", "0"], "", undefined, undefined],
    [["--ctx-size", "auto", "--parallel", "-1"], "", undefined, undefined],
    [["--ctx-size"], "nonsense\n=\n", undefined, undefined],
    [[7, null, "--ctx-size", "1e3"], "", undefined, undefined],
  ] as const) {
    it(`L6 plans ${String(contextWindow)} tokens for ${JSON.stringify([args, preset])}`, () => {
      assert.deepEqual(factsOfUnloaded({ status: { value: "unloaded", args, preset } }), {
        limits: contextWindow === undefined ? {} : { contextWindow },
        callsTools: undefined,
        seesImages: undefined,
        slots,
      });
    });
  }
});
