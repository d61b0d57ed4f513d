import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { modelId } from "../../../../src/core/ids.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import type { OfferedModel, Provider } from "../../../../src/core/ports.ts";
import { err, ok } from "../../../../src/core/result.ts";
import { failedRequestLine } from "../../../../src/core/stream/failedRequest.ts";
import { unavailable } from "../../../../src/core/stream/failures.ts";
import { ManualClock } from "../../../support/clocks.ts";
import { Connections, type Connection } from "../../../../src/host/connections/connections.ts";
import type { ModelChoice } from "../../../../src/host/connections/providerCatalog.ts";
import { Providers } from "../../../../src/host/connections/providers.ts";
import { readSettings } from "../../../../src/host/editor/settings.ts";

interface World {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Keys by address. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly lastChoice?: ModelChoice;
  readonly offered?: readonly OfferedModel[];
  /** How long a service takes to list them; no time by default. */
  readonly listingMs?: number;
  /** In place of what is `offered`. */
  readonly listModels?: Provider["listModels"];
}

const ANTHROPIC = "https://api.anthropic.com";
const OPENAI = "https://api.openai.com/v1";

function world({ settings = {}, keys = {}, lastChoice, offered = [], listingMs = 0, listModels }: World): {
  readonly connections: Connections;
  readonly registry: ModelRegistry;
  readonly nothing: () => number;
  readonly clock: ManualClock;
  /** What is being asked while nobody waits for it. */
  readonly asking: readonly Promise<unknown>[];
  readonly failures: readonly string[];
} {
  const registry = new ModelRegistry();
  const clock = new ManualClock();
  const asking: Promise<unknown>[] = [];
  const read = () => readSettings((name) => settings[name], {});
  let nothing = 0;
  const failures: string[] = [];
  const providers = new Providers({
    make: ({ name }) =>
      Promise.resolve({
        ...providerOf(name, async () => {
          if (listingMs > 0) await new Promise<void>((resolve) => clock.after(listingMs, resolve));
          return offered;
        }),
        ...(listModels === undefined ? {} : { listModels }),
      }),
    secrets: { keyFor: (baseUrl) => Promise.resolve(keys[baseUrl]) },
    settings: read,
    countEditorModels: () => Promise.resolve(2),
    around: (provider) => provider,
  });
  const connections = new Connections({
    providers,
    registry,
    settings: read,
    lastChoice: { get: () => lastChoice, set: () => undefined },
    asking: (asked) => asking.push(asked),
    clock,
    noteFailed: (failed) => failures.push(failedRequestLine(failed) ?? "nothing to say"),
    foundNothing: () => nothing++,
  });
  return { connections, registry, nothing: () => nothing, clock, asking, failures };
}

function providerOf(name: string, list: () => Promise<readonly OfferedModel[]>): Provider {
  const label = name === "anthropic" ? "Anthropic" : name === "openai" ? "OpenAI" : "tides:1234";
  return {
    name,
    label,
    stream: () => {
      throw new Error("nothing is asked here");
    },
    listModels: async () => ok(await list()),
  };
}

describe("connections", () => {
  const check = async (given: World, expected: readonly string[], chosen?: ModelChoice): Promise<void> => {
    const { connections } = world(given);
    const { providerName, model, why }: Connection = await connections.resolve(chosen);
    assert.deepEqual([providerName, model, why], expected);
  };
  const local = [{ id: modelId("qwen3:8b"), label: "qwen3:8b", limits: { contextWindow: 32_768 } }];

  describe("picks what is there by itself, and says why", () => {
    it("nothing", () => check({}, ["offline", "offline", "Nothing that could answer is set up"]));
    it("a key for Anthropic", () =>
      check({ keys: { [ANTHROPIC]: "a", [OPENAI]: "b" } }, [
        "anthropic",
        "claude-sonnet-5-5",
        "A key for Anthropic is kept",
      ]));
    it("a key for OpenAI", () =>
      check({ keys: { [OPENAI]: "b" } }, ["openai", "gpt-6.1-terra", "A key for OpenAI is kept"]));
    it("a server", () =>
      check({ settings: { "openaiCompatible.baseUrl": "http://tides:1234/v1" }, offered: local }, [
        "openaiCompatible",
        "qwen3:8b",
        "The server in the settings is tides:1234",
      ]));
    it("an Ollama elsewhere", () =>
      check({ settings: { "ollama.baseUrl": "http://tides:11434" }, offered: local }, [
        "ollama",
        "qwen3:8b",
        "The server in the settings is tides:1234",
      ]));
    it("but no Ollama that nobody has spoken of", () =>
      check({ offered: local }, ["offline", "offline", "Nothing that could answer is set up"]));
  });

  it("takes what the conversation chose, before all", () =>
    check({ keys: { [ANTHROPIC]: "a" }, offered: local }, ["ollama", "qwen3:8b", "Picked for this conversation"], {
      provider: "ollama",
      model: modelId("qwen3:8b"),
    }));
  it("takes what was picked last, for a new conversation", () =>
    check({ lastChoice: { provider: "ollama", model: modelId("qwen3:8b") }, offered: local }, [
      "ollama",
      "qwen3:8b",
      "The model that you picked last",
    ]));
  it("takes what the settings name", () =>
    check({ settings: { provider: "ollama" }, offered: local }, [
      "ollama",
      "qwen3:8b",
      "The provider in the settings",
    ]));
  it("takes no provider that it does not know", () =>
    check({ keys: { [ANTHROPIC]: "a" } }, ["anthropic", "claude-sonnet-5-5", "A key for Anthropic is kept"], {
      provider: "toString",
      model: modelId("x"),
    }));

  it("says that there is nothing, so that it is looked for, but not to who wants nothing", async () => {
    const nothing = world({});
    await nothing.connections.resolve(undefined);
    const offline = world({ settings: { provider: "offline" } });
    const { why } = await offline.connections.resolve(undefined);
    assert.deepEqual([nothing.nothing(), offline.nothing(), why], [1, 0, "The provider in the settings"]);
  });

  it("goes on planning with a window that turned out to be smaller", async () => {
    const { connections, registry } = world({ settings: { provider: "ollama" }, offered: local });
    const { model } = await connections.resolve(undefined);
    connections.learnWindow(model, 8_192);
    await connections.models("ollama");
    assert.equal(registry.get(model).limits.contextWindow, 8_192);
  });

  describe("of a server that takes long to say what it has", () => {
    const slow = { settings: { "openaiCompatible.baseUrl": "http://tides:1234/v1" }, offered: local, listingMs: 8_000 };

    it("lets the conversation be opened, and takes it when it has answered", async () => {
      const { connections, clock, asking } = world(slow);
      const first = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await first).providerName, "offline");
      assert.equal(asking.length, 1);
      await clock.advance(5_000);
      await Promise.all(asking);
      assert.equal((await connections.resolve(undefined)).model, "qwen3:8b");
    });

    it("waits for it once, however often it is asked", async () => {
      const { connections, clock, asking } = world({ ...slow, offered: [] });
      for (const time of ["first", "second"]) {
        const asked = connections.resolve(undefined);
        await clock.advance(8_000);
        assert.equal((await asked).providerName, "offline", time);
      }
      assert.equal(asking.length, 1);
    });

    it("takes nothing of what came from an address that was changed meanwhile", async () => {
      const settings = { ...slow.settings };
      const { connections, clock, asking } = world({ ...slow, settings });
      const first = connections.resolve(undefined);
      await clock.advance(3_000);
      await first;
      settings["openaiCompatible.baseUrl"] = "http://rocks:1234/v1";
      connections.reset();
      await clock.advance(5_000);
      await Promise.all(asking);
      const again = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await again).providerName, "offline");
    });

    it("goes on with what it has said before while it is asked again, as after a key was set", async () => {
      const { connections, clock, asking } = world(slow);
      const first = connections.resolve(undefined);
      await clock.advance(8_000);
      await Promise.all([first, ...asking]);
      connections.reset();
      const again = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await again).model, "qwen3:8b");
      assert.equal(asking.length, 2);
    });

    it("takes the windows of its models, too", async () => {
      const { connections, registry, clock, asking } = world(slow);
      const first = connections.resolve({ provider: "openaiCompatible", model: modelId("qwen3:8b") });
      await clock.advance(3_000);
      await first;
      assert.notEqual(registry.get(modelId("qwen3:8b")).limits.contextWindow, 32_768);
      await clock.advance(5_000);
      await Promise.all(asking);
      assert.equal(registry.get(modelId("qwen3:8b")).limits.contextWindow, 32_768);
    });
  });

  describe("a list of models that can not be had", () => {
    const settings = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    it("is noted", async () => {
      const refused = err(unavailable("openaiCompatible", "unreachable", "Nothing answers at this address and port."));
      const { connections, failures } = world({ settings, listModels: () => Promise.resolve(refused) });
      await connections.models("openaiCompatible");
      assert.deepEqual(failures, [
        "Request failed: openaiCompatible, list of models, SERVICE_UNAVAILABLE (unreachable), attempt 1",
      ]);
    });
    it("is the server's failure where the time is up, and nobody's who stopped it", async () => {
      const listModels: Provider["listModels"] = (cancel) =>
        new Promise((resolve) => {
          cancel.addEventListener("abort", () => {
            resolve(err({ code: "CANCELLED" }));
          });
        });
      const { connections } = world({ settings, listModels });
      const listed = await connections.models("openaiCompatible", 10);
      assert.deepEqual(listed, err(unavailable("openaiCompatible", "stalled", "No answer for 0 seconds.")));
    });
  });
});
