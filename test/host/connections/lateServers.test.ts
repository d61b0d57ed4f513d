import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { modelId } from "../../../src/core/ids.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { err } from "../../../src/core/result.ts";
import { unavailable } from "../../../src/core/errors.ts";
import type { Connections } from "../../../src/host/connections/connections.ts";
import { whenTrue } from "../../support/whenTrue.ts";
import { type ConnectionsGiven, connectionsOf } from "../../support/models/connectionsOf.ts";

describe("connections with servers that answer late or never", () => {
  const local = [{ id: modelId("qwen3:8b"), label: "qwen3:8b", limits: { contextWindow: 32_768 } }];

  describe("of a server that takes long to say what it has", () => {
    const slow = { settings: { "openaiCompatible.baseUrl": "http://tides:1234/v1" }, offered: local, listingMs: 8_000 };

    it("lets the conversation be opened, and takes it when it has answered", async () => {
      const { connections, clock, learned } = connectionsOf(slow);
      const first = connections.resolve(undefined);
      await clock.advance(3_000);
      assert.equal((await first).providerName, "offline");
      assert.equal(learned(), 0);
      await clock.advance(5_000);
      await whenTrue(() => learned() === 1);
      assert.equal((await connections.resolve(undefined)).model, "qwen3:8b");
    });

    it("waits for it once, however often it is asked", async () => {
      const { connections, clock, learned } = connectionsOf({ ...slow, offered: [] });
      for (const time of ["first", "second"]) {
        const asked = connections.resolve(undefined);
        await clock.advance(8_000);
        assert.equal((await asked).providerName, "offline", time);
      }
      assert.equal(learned(), 1);
    });

    it("takes nothing of what came from an address that was changed meanwhile", async () => {
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

    it("goes on with what it has said before while it is asked again, as after a key was set", async () => {
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

    it("takes the windows of its models, too", async () => {
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

  describe("a list of models that cannot be had", () => {
    const settings = { "openaiCompatible.baseUrl": "http://tides:1234/v1" };
    it("is noted", async () => {
      const refused = err(unavailable("openaiCompatible", "unreachable", "Nothing answers at this address and port."));
      const { connections, failures } = connectionsOf({ settings, listModels: () => Promise.resolve(refused) });
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
      const { connections, failures } = connectionsOf({ settings, listModels });
      await connections.models("openaiCompatible", 10);
      assert.deepEqual(failures, [
        "Request failed: openaiCompatible, list of models, SERVICE_UNAVAILABLE (stalled), attempt 1",
      ]);
    });
  });

  describe("a server in the settings that cannot be used is named", () => {
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

    it("where nothing else can answer", () => checkNamed(failing, ["offline", said]));
    it("where its model is in the settings, so that it is to answer", () =>
      checkNamed({ ...failing, settings: { ...settings, model: "qwen3:8b" } }, ["openaiCompatible", said]));
    it("where it has no model", () =>
      checkNamed({ settings, offered: [] }, [
        "offline",
        "tides:1234 answers, but has no model to chat with. Load one there, then try again.",
      ]));
    it("not where another answers", () =>
      checkNamed({ ...failing, keys: { "https://api.anthropic.com": "a" } }, ["anthropic"]));
    it("until it answers", () =>
      checkNamed({ ...failing, settings: { ...settings, model: "qwen3:8b" } }, ["openaiCompatible"], (connections) => {
        connections.noteAnswered("openaiCompatible");
      }));
    it("and the indicator says that nothing of what is set up can be used", async () => {
      const { connections } = connectionsOf(failing);
      assert.equal((await connections.resolve(undefined)).why, "No configured provider is available now");
      assert.deepEqual(connections.unreachableServers, ["openaiCompatible"]);
    });
  });
});
