/** Requests of providers under the editor's network settings: its proxy and its check of certificates. */

import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import * as vscode from "vscode";
import { systemClock } from "../../src/adapters/node/clock.ts";
import { modelId } from "../../src/core/ids.ts";
import { RefusedParameters } from "../../src/core/models/refusedParameters.ts";
import { ProviderFactory } from "../../src/host/connections/providerFactory.ts";
import type { ProviderName } from "../../src/host/connections/providerCatalog.ts";
import { until } from "../../scripts/vscode/until.ts";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import { startOllamaServer } from "../servers/ollamaServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { startForwardProxy } from "../support/models/forwardProxy.ts";
import { ask } from "../support/models/providerRequests.ts";
import { selfSignedCertificate } from "../support/models/selfSignedCertificate.ts";

interface Way {
  readonly label: string;
  readonly name: ProviderName;
  readonly model: string;
  readonly start: () => Promise<ModelServer>;
  /** Of a request that follows an answer. */
  readonly lastPath?: string;
}

const apiKey = "sk-test-network-0123456789";
const anthropic: Way = {
  label: "Anthropic",
  name: "anthropic",
  model: "claude-haiku-5-5",
  start: () => startAnthropicServer({ key: apiKey }),
};
const ways: readonly Way[] = [
  anthropic,
  {
    label: "a compatible server",
    name: "openaiCompatible",
    model: "gpt-6-luna",
    start: () => startOpenAiServer({ key: apiKey, dialect: "vllm" }),
  },
  {
    label: "Ollama",
    name: "ollama",
    model: "qwen3:8b",
    start: () => startOllamaServer({ key: apiKey }),
    lastPath: "/api/ps",
  },
];

describe("requests to providers", () => {
  const set = (name: string, value: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration("http").update(name, value, vscode.ConfigurationTarget.Global);
  const setProxy = (url: string | undefined): Thenable<void> => set("proxy", url);
  const factory = new ProviderFactory(new RefusedParameters(), systemClock);
  const asked = async ({ name, model }: Way, baseUrl: string) =>
    ask(await factory.make({ name, baseUrl, key: apiKey }), modelId(model));

  /** Uses a new proxy for each call; `check` receives the text of the answer. */
  async function checkThroughProxy(way: Way, check: (text: string, server: ModelServer) => Promise<void>) {
    const server = await way.start();
    const proxy = await startForwardProxy(server.port);
    try {
      await setProxy(proxy.url);
      const through = await asked(way, "http://models.example");
      assert.ok(through.end !== undefined && "stopReason" in through.end, JSON.stringify(through.end));
      assert.notEqual(through.text, "");
      assert.ok(proxy.asked.length > 0, "the proxy was used");
      assert.ok(
        proxy.asked.every((line) => line.includes("models.example")),
        proxy.asked.join(", "),
      );
      const { lastPath } = way;
      if (lastPath !== undefined)
        await until(() => server.requests.some((request) => request.path === lastPath) || undefined, 5_000);
      const count = proxy.asked.length;
      await check(through.text, server);
      assert.equal(proxy.asked.length, count, `and no more: ${proxy.asked.join(", ")}`);
    } finally {
      await proxy.close();
      await server.close();
    }
  }

  afterEach(async () => {
    await setProxy(undefined);
    await set("proxySupport", undefined);
  });

  // Runs first: an old editor reuses the first proxy of such a request for all later ones.
  it('use the proxy also when http.proxySupport is "on"', async () => {
    await set("proxySupport", "on");
    await checkThroughProxy(anthropic, () => Promise.resolve());
  });

  for (const way of ways) {
    it(`reach ${way.label} through the configured proxy, and directly without one`, async () => {
      await checkThroughProxy(way, async (text, server) => {
        await setProxy(undefined);
        assert.equal((await asked(way, server.url)).text, text);
      });
    });

    it(`are not sent to ${way.label} behind an untrusted certificate`, async () => {
      let requests = 0;
      const server = createServer(selfSignedCertificate(), (_request, response) => {
        requests++;
        response.end();
      });
      const port = await listening(server);
      try {
        const { end } = await asked(way, `https://localhost:${String(port)}`);
        const error = end !== undefined && "error" in end ? end.error : undefined;
        assert.ok(error?.code === "SERVICE_UNAVAILABLE", JSON.stringify(end));
        assert.deepEqual([error.reason, requests], ["unreachable", 0]);
        assert.match(error.detail, /certificate/);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  }
});

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(address === null || typeof address === "string" ? 0 : address.port);
    });
  });
}
