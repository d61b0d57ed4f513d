import Anthropic from "@anthropic-ai/sdk";
import type { MessageStreamParams } from "@anthropic-ai/sdk/resources/messages/messages";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { providerContract } from "../../contracts/providerContract.ts";
import { providerFaultContract } from "../../contracts/providerFaults.ts";
import { providerLifetimeContract } from "../../contracts/providerLifetime.ts";
import { providerLogContract } from "../../contracts/providerLog.ts";
import type { Accumulated, ProviderUnderTest } from "../../contracts/providerUnderTest.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";

const under: ProviderUnderTest = {
  label: "Anthropic",
  model: modelId("claude-haiku-5-5"),
  chatPath: "/v1/messages",
  start: (key) => startAnthropicServer({ key }),
  make: (baseUrl, apiKey) => createAnthropicProvider({ apiKey, baseUrl }),
  accumulate,
};

providerContract(under);
providerLifetimeContract(under);
providerFaultContract(under);
providerLogContract(under);

async function accumulate(baseURL: string, apiKey: string, body: unknown): Promise<Accumulated> {
  const client = new Anthropic({ apiKey, authToken: null, baseURL, maxRetries: 0 });
  // The body comes from a request of the provider under test.
  const message = await client.messages.stream(body as MessageStreamParams).finalMessage();
  const { usage } = message;
  const blocks = message.content;
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    thinking: blocks.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    signatures: blocks.flatMap((block) => (block.type === "thinking" ? [block.signature] : [])),
    toolCalls: blocks.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, inputJson: JSON.stringify(block.input) }] : [],
    ),
    usage: {
      inputTokens: usage.input_tokens + cached,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
      cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
      reasoningTokens: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
    stop: STOPS.get(message.stop_reason ?? "") ?? "",
  };
}

const STOPS = new Map([
  ["end_turn", "endTurn"],
  ["max_tokens", "maxTokens"],
  ["tool_use", "toolUse"],
  ["refusal", "refusal"],
]);
