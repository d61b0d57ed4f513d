/** Requests go as the editor's other requests do: through its proxy, and to no server whose certificate nobody vouches for. */

import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import * as vscode from "vscode";
import { createAnthropicProvider } from "../../src/adapters/anthropic/client.ts";
import { systemClock } from "../../src/adapters/node/clock.ts";
import { createOllamaProvider } from "../../src/adapters/ollama/client.ts";
import { createOpenAiProvider } from "../../src/adapters/openai/client.ts";
import { modelId } from "../../src/core/ids.ts";
import type { Provider } from "../../src/core/ports.ts";
import { guardedProvider } from "../../src/core/stream/guardedProvider.ts";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import { startOllamaServer } from "../servers/ollamaServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { startForwardProxy } from "../support/forwardProxy.ts";
import { ask } from "../support/providerRequests.ts";
import { selfSignedCertificate } from "../support/selfSignedCertificate.ts";

interface Way {
  readonly label: string;
  readonly model: string;
  readonly start: () => Promise<ModelServer>;
  readonly make: (baseUrl: string) => Provider;
}

const apiKey = "sk-test-network-0123456789";
const ways: readonly Way[] = [
  {
    label: "Anthropic",
    model: "claude-haiku-5-5",
    start: () => startAnthropicServer({ key: apiKey }),
    make: (baseUrl) => createAnthropicProvider({ apiKey, baseUrl }),
  },
  {
    label: "a compatible server",
    model: "gpt-6-luna",
    start: () => startOpenAiServer({ key: apiKey, dialect: "vllm" }),
    make: (baseUrl) => createOpenAiProvider({ name: "openaiCompatible", label: "House", apiKey, baseUrl }),
  },
  {
    label: "Ollama",
    model: "qwen3:8b",
    start: () => startOllamaServer({ key: apiKey }),
    make: (baseUrl) => createOllamaProvider({ apiKey, baseUrl }),
  },
];

describe("the network as the editor has it", () => {
  const setProxy = (url: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration("http").update("proxy", url, vscode.ConfigurationTarget.Global);
  const asked = (way: Way, baseUrl: string) => ask(guardedProvider(way.make(baseUrl), systemClock), modelId(way.model));

  afterEach(() => setProxy(undefined));

  for (const way of ways) {
    it(`leads to ${way.label} through the proxy of the settings, and without one directly`, async () => {
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
        const count = proxy.asked.length;
        await setProxy(undefined);
        assert.equal((await asked(way, server.url)).text, through.text);
        assert.equal(proxy.asked.length, count, "and no more");
      } finally {
        await proxy.close();
        await server.close();
      }
    });

    it(`sends nothing to ${way.label} behind a certificate that nobody vouches for`, async () => {
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
