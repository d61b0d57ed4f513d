import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { modelId } from "../../../src/core/ids.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { err, ok } from "../../../src/core/result.ts";
import { unavailable } from "../../../src/core/errors.ts";
import type { Connections } from "../../../src/host/connections/connections.ts";
import { whenTrue } from "../../support/whenTrue.ts";
import { type ConnectionsGiven, connectionsOf } from "../../support/models/connectionsOf.ts";

describe("connections with servers that answer late or never", () => {
  const local = [{ id: modelId("qwen3:8b"), label: "qwen3:8b", limits: { contextWindow: 32_768 } }];

  describe("when a server is slow to list its models", () => {
    const slow = { settings: { "openaiCompatible.baseUrl": "http://tides:1234/v1" }, offered: local, listingMs: 8_000 };

    it("let the conversation open, and use the server once it has answered", async () => {
      const { connections, clock, learned } = connectionsOf(slow);
      const first = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await first).providerName, "offline");
      assert.equal(learned(), 0);
      await clock.advance(5_000);
      await whenTrue(() => learned() === 1);
      assert.equal((await connections.resolve(undefined)).model, "qwen3:8b");
    });

    it("wait for the server once, however often it is queried", async () => {
      const { connections, clock, learned } = connectionsOf({ ...slow, offered: [] });
      for (const time of ["first", "second"]) {
        const asked = connections.resolve(undefined);
        await clock.advance(8_000);
        assert.equal((await asked).providerName, "offline", time);
      }
      assert.equal(learned(), 1);
    });

    it("discard the list of an address that was changed meanwhile", async () => {
      const settings = { ...slow.settings };
      const { connections, clock, learned } = connectionsOf({ ...slow, settings });
      const first = connections.resolve(undefined);
      await clock.advance(3_000);
      await first;
      settings["openaiCompatible.baseUrl"] = "http://rocks:1234/v1";
      connections.reset();
      await clock.advance(5_000);
      await whenTrue(() => learned() === 1);
      const again = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await again).providerName, "offline");
    });

    it("use the previous list while the server is queried again, for example after a key was set", async () => {
      const { connections, clock, learned } = connectionsOf(slow);
      const first = connections.resolve(undefined);
      await clock.advance(8_000);
      await first;
      await whenTrue(() => learned() === 1);
      connections.reset();
      const again = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await again).model, "qwen3:8b");
      await clock.advance(5_000);
      await whenTrue(() => learned() === 2);
    });

    it("learn the context windows of its models as well", async () => {
      const { connections, registry, clock, learned } = connectionsOf(slow);
      const first = connections.resolve({ provider: "openaiCompatible", model: modelId("qwen3:8b") });
      await clock.advance(3_000);
      await first;
      assert.notEqual(registry.get(modelId("qwen3:8b")).limits.contextWindow, 32_768);
      await clock.advance(5_000);
      await whenTrue(() => learned() === 1);
      assert.equal(registry.get(modelId("qwen3:8b")).limits.contextWindow, 32_768);
    });
  });

  it("L6 is asked again until it has loaded its model, once at a time, and not for an address that was changed", async () => {
    const settings: Record<string, unknown> = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    let asked = 0;
    let isLoaded = false;
    const loading = err(unavailable("openaiCompatible", "loading", "Loading model"));
    const listModels = () => Promise.resolve((asked++, isLoaded) ? ok(local) : loading);
    const { connections, clock, learned } = connectionsOf({ settings, listModels });
    const [first] = await Promise.all([connections.resolve(undefined), connections.resolve(undefined)]);
    assert.deepEqual(
      [first.providerName, connections.unreachableReasons(first), asked],
      ["offline", ["tides:1234 is still loading its model."], 2],
    );
    await clock.advance(6_000);
    assert.deepEqual([asked, learned(), clock.pending], [5, 0, 1]);
    connections.reset();
    await connections.resolve(undefined);
    await clock.advance(2_000);
    assert.deepEqual([asked, learned(), clock.pending], [7, 0, 1]);
    isLoaded = true;
    await clock.advance(2_000);
    await whenTrue(() => learned() === 1);
    const then = await connections.resolve(undefined);
    assert.deepEqual([then.model, connections.unreachableReasons(then), clock.pending], ["qwen3:8b", [], 0]);
  });

  it("L4 takes Ollama to work on one request at a time, as it does unless its user has set another number", async () => {
    const offered = [
      { id: modelId("qwen3:8b"), label: "" },
      { id: modelId("gpt-oss:120b-cloud"), label: "" },
      { id: modelId("told"), label: "", slots: 4 },
    ];
    const slots: Record<string, unknown> = {};
    for (const name of ["ollama", "openaiCompatible"] as const) {
      const { connections, registry } = connectionsOf({
        settings: { "openaiCompatible.baseUrl": "http://tides:1/v1" },
        listModels: () => Promise.resolve(ok(offered)),
      });
      await connections.models(name);
      slots[name] = offered.map(({ id }) => registry.abilitiesOf(id).slots);
    }
    assert.deepEqual(slots, { ollama: [1, undefined, 4], openaiCompatible: [undefined, undefined, 4] });
  });

  it("L6 is asked before each request on this machine, where it may be started anew unnoticed", async () => {
    const asked: Record<string, unknown> = {};
    const addresses = [
      "http://127.0.0.1:8080/v1",
      "http://localhost:9931",
      "http://[::1]:8000/v1",
      "http://tides:1/v1",
      "",
    ];
    for (const address of addresses) {
      let contextWindow = 8_192;
      const listModels = () => Promise.resolve(ok([{ id: modelId("qwen3:8b"), label: "", limits: { contextWindow } }]));
      const { connections, registry } = connectionsOf({
        settings: { "openaiCompatible.baseUrl": address },
        listModels,
      });
      await connections.resolve(undefined);
      contextWindow = 4_096;
      const isAsked = await connections.askIfRestarted("openaiCompatible");
      asked[address] = [isAsked, registry.get(modelId("qwen3:8b")).limits.contextWindow];
      assert.equal(await connections.askIfRestarted("ollama"), false);
    }
    assert.deepEqual(asked, {
      "http://127.0.0.1:8080/v1": [true, 4_096],
      "http://localhost:9931": [true, 4_096],
      "http://[::1]:8000/v1": [true, 4_096],
      "http://tides:1/v1": [false, 8_192],
      "": [false, 8_192],
    });
  });

  it("L6 is asked for its windows again when it comes back, and elsewhere only then", async () => {
    const settings = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    let [asked, contextWindow] = [0, 8_192];
    const down = err(unavailable("openaiCompatible", "unreachable", ""));
    let isDown = false;
    const listModels = () => {
      asked++;
      return Promise.resolve(
        isDown ? down : ok([{ ...local[0], id: modelId("qwen3:8b"), label: "", limits: { contextWindow } }]),
      );
    };
    const { connections, registry } = connectionsOf({ settings, listModels });
    await connections.resolve(undefined);
    await whenTrue(() => asked === 2); // once more in the background, for the output limit
    const window = () => registry.get(modelId("qwen3:8b")).limits.contextWindow;
    const failed = { provider: "openaiCompatible", asked: "answer", answered: {}, attempt: 1 } as const;
    const steps: unknown[] = [];
    const step = async (): Promise<void> => {
      asked = 0;
      steps.push([await connections.askIfRestarted("openaiCompatible"), asked, window()]);
    };
    await step();
    contextWindow = 4_096;
    isDown = true;
    connections.recordFailure({ ...failed, error: unavailable("openaiCompatible", "cutOff", "") });
    await step();
    isDown = false;
    await step();
    await step();
    connections.recordFailure({ ...failed, error: unavailable("openaiCompatible", "overloaded", "") });
    await step();
    assert.deepEqual(steps, [
      [false, 0, 8_192],
      [false, 1, 8_192],
      [true, 1, 4_096],
      [false, 0, 4_096],
      [false, 0, 4_096],
    ]);
  });

  describe("a list of models that fails", () => {
    const settings = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    it("is logged", async () => {
      const refused = err(unavailable("openaiCompatible", "unreachable", "Nothing answers at this address and port."));
      const { connections, failures } = connectionsOf({ settings, listModels: () => Promise.resolve(refused) });
      await connections.models("openaiCompatible");
      assert.deepEqual(failures, [
        "Request failed: openaiCompatible, list of models, SERVICE_UNAVAILABLE (unreachable), attempt 1",
      ]);
    });
    it("is logged as stalled, not as cancelled, after a timeout", async () => {
      const listModels: Provider["listModels"] = (cancel) =>
        new Promise((resolve) => {
          cancel.addEventListener("abort", () => {
            resolve(err({ code: "CANCELLED" }));
          });
        });
      const { connections, failures } = connectionsOf({ settings, listModels });
      await connections.models("openaiCompatible", 10);
      assert.deepEqual(failures, [
        "Request failed: openaiCompatible, list of models, SERVICE_UNAVAILABLE (stalled), attempt 1",
      ]);
    });
  });

  describe("an unusable server in the settings is named", () => {
    const settings = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    const unreachable = err(unavailable("openaiCompatible", "unreachable", "The host did not answer."));
    const said = "tides:1234 cannot be reached. The host did not answer.";
    const checkNamed = async (
      given: ConnectionsGiven,
      expected: readonly string[],
      then?: (made: Connections) => unknown,
    ) => {
      const { connections } = connectionsOf(given);
      const connected = await connections.resolve(undefined);
      await then?.(connections);
      assert.deepEqual([connected.providerName, ...connections.unreachableReasons(connected)], expected);
    };
    const failing = { settings, listModels: () => Promise.resolve(unreachable) };

    it("when nothing else can answer", () => checkNamed(failing, ["offline", said]));
    it("when its model is chosen in the settings", () =>
      checkNamed({ ...failing, settings: { ...settings, model: "qwen3:8b" } }, ["openaiCompatible", said]));
    it("when it has no model", () =>
      checkNamed({ settings, offered: [] }, [
        "offline",
        "tides:1234 answers, but has no model to chat with. Load one there, then try again.",
      ]));
    it("but not when another provider answers", () =>
      checkNamed({ ...failing, keys: { "https://api.anthropic.com": "a" } }, ["anthropic"]));
    it("until it answers", () =>
      checkNamed({ ...failing, settings: { ...settings, model: "qwen3:8b" } }, ["openaiCompatible"], (connections) => {
        connections.noteAnswered("openaiCompatible");
      }));
    it("and the indicator says that no configured provider is available", async () => {
      const { connections } = connectionsOf(failing);
      assert.equal((await connections.resolve(undefined)).why, "No configured provider is available now");
      assert.deepEqual(connections.unreachableServers, ["openaiCompatible"]);
    });
  });
});
