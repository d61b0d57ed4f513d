import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { contextOverflow } from "../../../src/adapters/http/lengthErrors.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { Connection } from "../../../src/host/connections/connections.ts";
import type { ModelChoice } from "../../../src/host/connections/providerCatalog.ts";
import { type ConnectionsGiven, connectionsOf } from "../../support/models/connectionsOf.ts";

const ANTHROPIC = "https://api.anthropic.com";
const OPENAI = "https://api.openai.com/v1";

describe("connections", () => {
  const check = async (given: ConnectionsGiven, expected: readonly string[], chosen?: ModelChoice): Promise<void> => {
    const { connections } = connectionsOf(given);
    const { providerName, model, why }: Connection = await connections.resolve(chosen);
    assert.deepEqual([providerName, model, why], expected);
  };
  const local = [{ id: modelId("qwen3:8b"), label: "qwen3:8b", limits: { contextWindow: 32_768 } }];

  describe("picks an available provider by default and gives the reason", () => {
    it("with nothing set up", () => check({}, ["offline", "offline", "No provider is set up"]));
    it("with a key for Anthropic", () =>
      check({ keys: { [ANTHROPIC]: "a", [OPENAI]: "b" } }, [
        "anthropic",
        "claude-sonnet-5-5",
        "A key for Anthropic is stored",
      ]));
    it("with a key for OpenAI", () =>
      check({ keys: { [OPENAI]: "b" } }, ["openai", "gpt-6.1-terra", "A key for OpenAI is stored"]));
    it("with a server in the settings", () =>
      check({ settings: { "openaiCompatible.baseUrl": "http://tides:1234/v1" }, offered: local }, [
        "openaiCompatible",
        "qwen3:8b",
        "The server in the settings is tides:1234",
      ]));
    it("with an Ollama server at another address", () =>
      check({ settings: { "ollama.baseUrl": "http://tides:11434" }, offered: local }, [
        "ollama",
        "qwen3:8b",
        "The server in the settings is tides:1234",
      ]));
    it("but never an Ollama server that is not set up", () =>
      check({ offered: local }, ["offline", "offline", "No provider is set up"]));
  });

  it("prefers the conversation's own choice", () =>
    check(
      { keys: { [ANTHROPIC]: "a" }, offered: local },
      ["ollama", "qwen3:8b", "It was picked for this conversation"],
      {
        provider: "ollama",
        model: modelId("qwen3:8b"),
      },
    ));
  it("uses the last picked model for a new conversation", () =>
    check({ lastChoice: { provider: "ollama", model: modelId("qwen3:8b") }, offered: local }, [
      "ollama",
      "qwen3:8b",
      "It is the model that you picked last",
    ]));
  it("uses the provider named in the settings", () =>
    check({ settings: { provider: "ollama" }, offered: local }, [
      "ollama",
      "qwen3:8b",
      "Its provider is the one in the settings",
    ]));
  it("ignores an unknown provider", () =>
    check({ keys: { [ANTHROPIC]: "a" } }, ["anthropic", "claude-sonnet-5-5", "A key for Anthropic is stored"], {
      provider: "toString",
      model: modelId("x"),
    }));

  it("reports that nothing is set up, so that servers are searched for, unless offline is chosen", async () => {
    const nothing = connectionsOf({});
    await nothing.connections.resolve(undefined);
    const offline = connectionsOf({ settings: { provider: "offline" } });
    const { why } = await offline.connections.resolve(undefined);
    assert.deepEqual([nothing.nothing(), offline.nothing(), why], [1, 0, "Its provider is the one in the settings"]);
  });

  it("keeps a learned context window that is smaller than the listed one", async () => {
    const { connections, registry } = connectionsOf({ settings: { provider: "ollama" }, offered: local });
    const { model } = await connections.resolve(undefined);
    connections.learnWindow(model, 8_192);
    await connections.models("ollama");
    assert.equal(registry.get(model).limits.contextWindow, 8_192);
  });

  it("trusts a server again once it lists another context window", async () => {
    const said = [32_768, 32_768, 16_384, 16_384];
    const listModels = (): ReturnType<Provider["listModels"]> => {
      const contextWindow = said.shift() ?? 0;
      return Promise.resolve(ok([{ id: modelId("local"), label: "local", limits: { contextWindow } }]));
    };
    const { connections, registry } = connectionsOf({ settings: { provider: "ollama" }, listModels });
    const windows: number[] = [];
    for (const learned of [8_192, undefined, undefined, undefined]) {
      await connections.models("ollama");
      if (learned !== undefined) connections.learnWindow(modelId("local"), learned);
      windows.push(registry.get(modelId("local")).limits.contextWindow);
    }
    assert.deepEqual(windows, [8_192, 8_192, 16_384, 16_384]);
  });

  it("learns the context window from a service's overflow error", () => {
    const { connections, registry } = connectionsOf({});
    const model = modelId("gpt-6-luna");
    const learned = (detail: string): boolean => {
      const error = contextOverflow("openai", detail);
      return connections.learnFromFailure({
        provider: "openai",
        asked: "answer",
        model,
        error,
        answered: {},
        attempt: 1,
      });
    };
    const { contextWindow } = registry.get(model).limits;
    assert.equal(learned(`maximum context length is ${String(contextWindow)} tokens`), false);
    assert.equal(learned("It is too long."), false);
    assert.equal(learned("maximum context length is 65536 tokens"), true);
    assert.equal(registry.get(model).limits.contextWindow, 65_536);
    connections.noteWindow(model, 100_000);
    assert.equal(registry.get(model).limits.contextWindow, 65_536, "until the service says something else");
    connections.noteWindow(model, 90_000);
    assert.equal(registry.get(model).limits.contextWindow, 90_000);
  });

  describe("E:a model that is gone from the server's list", () => {
    const chosen = { provider: "openaiCompatible", model: modelId("my-own-32k") };
    const settings = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    const [own, other] = ["my-own-32k", "another"].map((id) => {
      return { id: modelId(id), label: id, limits: { contextWindow: 32_768 } };
    });
    const GONE =
      "tides:1234 does not list the model my-own-32k any more. Your messages are safe. Choose another model, or load this one there again.";

    /** Window and reasons after a start with each of the lists, one after the other. */
    async function afterStarts(...lists: readonly (readonly (typeof own)[])[]): Promise<readonly unknown[]> {
      const stored = new Map<string, unknown>();
      const seen: unknown[] = [];
      for (const list of lists) {
        const offered = list.filter((model) => model !== undefined);
        const { connections, registry } = connectionsOf({ settings, offered, stored });
        const connection = await connections.resolve(chosen);
        const { contextWindow } = registry.get(connection.model).limits;
        seen.push([connection.model, contextWindow, connections.unreachableReasons(connection)]);
      }
      return seen;
    }

    it("is said to be gone after a reload, and keeps its window, until it is back", async () => {
      assert.deepEqual(await afterStarts([own, other], [other], [other], [own, other]), [
        ["my-own-32k", 32_768, []],
        ["my-own-32k", 32_768, [GONE]],
        ["my-own-32k", 32_768, [GONE]],
        ["my-own-32k", 32_768, []],
      ]);
    });

    it("that was never listed is not said to be gone: some servers take any name", async () => {
      assert.deepEqual(await afterStarts([other]), [["my-own-32k", 8_192, []]]);
    });

    it("keeps its window while the server lists nothing", async () => {
      const [, [model, contextWindow] = []] = (await afterStarts([own], [])) as readonly (readonly unknown[])[];
      assert.deepEqual([model, contextWindow], ["my-own-32k", 32_768]);
    });

    it("is found out in the running window, too", async () => {
      const lists = [[own, other], [other]].map((list) => list.filter((model) => model !== undefined));
      const listModels = (): ReturnType<Provider["listModels"]> => Promise.resolve(ok(lists.shift() ?? []));
      const { connections, registry } = connectionsOf({ settings, listModels });
      const connection = await connections.resolve(chosen);
      await connections.models("openaiCompatible");
      assert.deepEqual(
        [registry.get(connection.model).limits.contextWindow, connections.unreachableReasons(connection)],
        [32_768, [GONE]],
      );
    });

    it("is said at once after a reload, before its server answers, and where its limits are known otherwise", async () => {
      const stored = new Map<string, unknown>();
      const models = [own, other].filter((model) => model !== undefined);
      const lists = [models, models.slice(1), undefined, models];
      const seen: unknown[] = [];
      for (const list of lists) {
        const unanswered = new Promise<never>(() => undefined);
        const listModels = (): ReturnType<Provider["listModels"]> =>
          list === undefined ? unanswered : Promise.resolve(ok(list));
        const { connections, registry } = connectionsOf({ settings, listModels, stored });
        registry.setLive(chosen.model, { contextWindow: 32_768, maxOutput: 4_096 });
        if (seen.length === 0) await connections.models("openaiCompatible");
        const connection = await connections.resolve(chosen);
        const atOnce = connections.unreachableReasons(connection);
        await new Promise(setImmediate);
        seen.push([atOnce, connections.unreachableReasons(connection)]);
      }
      assert.deepEqual(seen, [
        [[], []],
        [[], [GONE]],
        [[GONE], [GONE]],
        [[GONE], []],
      ]);
    });

    it("is not believed from a storage that holds something else", async () => {
      for (const value of [null, 1, {}, [1], [["a"]], [["openaiCompatible my-own-32k", { contextWindow: "x" }]]]) {
        const { connections, registry } = connectionsOf({
          settings,
          offered: other === undefined ? [] : [other],
          stored: new Map([["forge.listedModels", value]]),
        });
        const { model } = await connections.resolve(chosen);
        assert.equal(registry.get(model).limits.contextWindow, 8_192);
      }
    });
  });

  describe("has summaries written by", () => {
    const writes = async (given: ConnectionsGiven, expected: readonly string[]): Promise<void> => {
      const { connections } = connectionsOf(given);
      const main = await connections.resolve(undefined);
      const { providerName, provider, model } = await connections.summarizer(main);
      assert.deepEqual([providerName, model], expected.slice(0, 2));
      assert.equal(provider === main.provider, providerName === main.providerName);
      const told = [connections.summarizerProvider(main), connections.summarizerModel(main)];
      assert.deepEqual([...told, connections.summarizerProblem(main)], [...expected.slice(0, 2), expected[2] ?? ""]);
    };
    const keys = { [ANTHROPIC]: "a" };
    const chosen = (summarizationModel: string): ConnectionsGiven => ({
      keys,
      offered: local,
      settings: { provider: "anthropic", summarizationModel },
    });
    it("the small model of the conversation's provider", () => writes({ keys }, ["anthropic", "claude-haiku-5-5"]));
    it("the model that answers, elsewhere", () =>
      writes({ settings: { provider: "ollama" }, offered: local }, ["ollama", "qwen3:8b"]));
    it("another model of the conversation's provider", () =>
      writes(chosen("claude-opus-4-5"), ["anthropic", "claude-opus-4-5"]));
    it("a model of another provider", () => writes(chosen("ollama:qwen3:8b"), ["ollama", "qwen3:8b"]));
    it("a model of the editor", () => writes(chosen("editor:copilot/gpt-5"), ["editor", "copilot/gpt-5"]));
    it("a model whose name begins as no provider's does", () => writes(chosen("qwen3:8b"), ["anthropic", "qwen3:8b"]));
    it("the model whose whole name the conversation's server lists, although it begins as a provider's", async () => {
      const router = [...local, { id: modelId("openai:gpt-5-mini"), label: "openai:gpt-5-mini" }];
      const settings = { provider: "openaiCompatible", "openaiCompatible.baseUrl": "http://tides:1234/v1" };
      const given = (summarizationModel: string): ConnectionsGiven => ({
        keys: { [OPENAI]: "b" },
        offered: router,
        settings: { ...settings, summarizationModel },
      });
      await writes(given("openai:gpt-5-mini"), ["openaiCompatible", "openai:gpt-5-mini"]);
      await writes(given("openaiCompatible:openai:gpt-5-mini"), ["openaiCompatible", "openai:gpt-5-mini"]);
      await writes(given("openai:gpt-5"), ["openai", "gpt-5"]);
    });
    it("the conversation's provider, where the chosen one is not set up", () =>
      writes(chosen("openai:gpt-5-mini"), [
        "anthropic",
        "claude-haiku-5-5",
        "Summaries are written by claude-haiku-5-5: gpt-5-mini of the setting forge.summarizationModel cannot be asked, since OpenAI is not set up.",
      ]));
  });
});
