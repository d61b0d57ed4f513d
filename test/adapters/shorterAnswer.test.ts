/** A question that a service counts longer than it was counted here, and that still fits: the answer may be shorter. */

import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../src/adapters/anthropic/client.ts";
import { createOpenAiProvider } from "../../src/adapters/openai/client.ts";
import { promptContext } from "../../src/core/context/request/promptContext.ts";
import { modelId } from "../../src/core/ids.ts";
import { textMessage } from "../../src/core/message.ts";
import type { Provider } from "../../src/core/stream/provider.ts";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { member } from "../servers/wireJson.ts";
import { ask, nameOf } from "../support/models/providerRequests.ts";

const WINDOW = 32_768;

describe("a question that is longer than it was counted", () => {
  const check = async (
    server: ModelServer,
    provider: Provider,
    given: { readonly model: string; readonly words: (input: number) => string },
  ): Promise<void> => {
    const request = promptContext({
      model: modelId(given.model),
      limits: { contextWindow: WINDOW, maxOutput: 500 },
      systemPrompt: "",
      messages: [textMessage("user", "Hello")],
      tokens: [{ cl100k: 1, o200k: 1 }],
    });
    assert.ok(request.ok);
    const asked = async (input: number): Promise<readonly unknown[]> => {
      server.reset();
      server.script({ times: 1, fault: { kind: "status", status: 400, message: given.words(input) } });
      const { end } = await ask(provider, modelId(given.model), request.value);
      return [nameOf(end), ...server.requests.map(({ body }) => member(body, "max_tokens"))];
    };
    assert.deepEqual(await asked(WINDOW - 400), ["endTurn", 500, 400]);
    assert.deepEqual(await asked(WINDOW - 300), ["endTurn", 500, 300], "the next answer is as long as ever");
    assert.deepEqual(await asked(WINDOW - 100), ["contextOverflow", 500]);
    await server.close();
  };

  it("gets a shorter answer from a compatible server", async () => {
    const model = { id: "hosted", contextWindow: WINDOW, maxOutput: 2_048 };
    const server = await startOpenAiServer({ dialect: "vllm", models: [model] });
    const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", baseUrl: server.url });
    const words = (input: number): string =>
      `This model's maximum context length is ${String(WINDOW)} tokens. However, you requested ${String(input + 500)} tokens (${String(input)} in the messages, 500 in the completion).`;
    await check(server, provider, { model: model.id, words });
  });

  it("gets a shorter answer from Anthropic", async () => {
    const server = await startAnthropicServer();
    const provider = createAnthropicProvider({ apiKey: "sk-x", baseUrl: server.url });
    const words = (input: number): string =>
      `input length and \`max_tokens\` exceed context limit: ${String(input)} + 500 > ${String(WINDOW)}, decrease input length`;
    await check(server, provider, { model: "claude-haiku-5-5", words });
  });
});
