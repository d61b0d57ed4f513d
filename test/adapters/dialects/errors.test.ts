import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { createOllamaProvider } from "../../../src/adapters/ollama/client.ts";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { realClock } from "../../support/clocks.ts";
import { startCannedServer } from "../../support/dialects/cannedServer.ts";
import { ERROR_CASES, type ErrorCase, type ErrorWire } from "../../support/dialects/errors.ts";
import { ask, nameOf } from "../../support/models/providerRequests.ts";

function providerAt(url: string, wire: ErrorWire): Provider {
  if (wire === "messages") return createAnthropicProvider({ apiKey: "sk-ant-1", baseUrl: url });
  if (wire === "ollama") return createOllamaProvider({ baseUrl: url });
  return createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", baseUrl: url, wire });
}

/** Failures that may be over after a second, and are tried again. */
const RETRIED: ReadonlySet<string> = new Set(["overloaded", "serverError"]);

async function failureOf({ wire = "chat", status, headers, contentType, body }: ErrorCase): Promise<object> {
  const server = await startCannedServer((path) =>
    path === "/api/show"
      ? undefined
      : {
          status,
          headers: { "content-type": contentType ?? "application/json", ...headers },
          body: typeof body === "string" ? body : JSON.stringify(body),
        },
  );
  const limits = { retryDelayMs: 1, maxRetryDelayMs: 100 };
  const provider = guardedProvider(providerAt(server.url, wire), realClock, limits);
  const { end } = await ask(provider, modelId("m"));
  const requests = server.paths.filter((path) => path !== "/api/show").length;
  await server.close();
  assert.ok(end !== undefined && "error" in end, "it failed");
  const { error } = end;
  const read = (name: string): unknown => Reflect.get(error, name);
  return {
    name: nameOf(end),
    windowTokens: read("windowTokens"),
    retryAfterMs: read("retryAfterMs"),
    detail: read("detail"),
    requests,
  };
}

describe("failures as services report them", () => {
  for (const given of ERROR_CASES) {
    const { service, source, expected } = given;
    it(`§6 ${service}, ${expected.name} (${source})`, async () => {
      const { detail, ...received } = (await failureOf(given)) as { detail: unknown };
      const { quotes = "", ...rest } = expected;
      const wanted = {
        windowTokens: undefined,
        retryAfterMs: undefined,
        ...rest,
        requests: RETRIED.has(rest.name) ? 3 : 1,
      };
      assert.deepEqual(received, wanted);
      if (expected.name !== "MODEL_UNKNOWN") assert.ok(String(detail).includes(quotes), String(detail));
    });
  }

  it("§6 have a service and a source each, and none twice", () => {
    const texts = ERROR_CASES.map((given) => JSON.stringify(given));
    assert.equal(new Set(texts).size, texts.length);
    assert.deepEqual(
      ERROR_CASES.filter(({ service, source }) => service === "" || source === ""),
      [],
    );
    assert.ok(new Set(ERROR_CASES.map(({ service }) => service)).size >= 30);
  });
});
