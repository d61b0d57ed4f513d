import OpenAI from "openai";
import type { ChatCompletionStreamParams } from "openai/lib/ChatCompletionStream";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { providerContract, type Accumulated, type ProviderUnderTest } from "../../contracts/providerContract.ts";
import { providerLifetimeContract } from "../../contracts/providerLifetime.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";

const openai: ProviderUnderTest = {
  label: "OpenAI",
  model: modelId("gpt-6-luna"),
  start: (key) => startOpenAiServer({ key }),
  make: (baseUrl, apiKey) => createOpenAiProvider({ name: "openai", label: "OpenAI", apiKey, baseUrl }),
  accumulate,
};

const compatible: ProviderUnderTest = {
  ...openai,
  label: "a compatible server",
  start: (key) => startOpenAiServer({ key, dialect: "openRouter" }),
  make: (baseUrl, apiKey) => createOpenAiProvider({ name: "openaiCompatible", label: "Router", apiKey, baseUrl }),
};

for (const under of [openai, compatible]) {
  providerContract(under);
  providerLifetimeContract(under);
}

async function accumulate(address: string, apiKey: string, body: unknown): Promise<Accumulated> {
  const baseURL = `${address}/v1`;
  const client = new OpenAI({ apiKey, organization: null, project: null, baseURL, maxRetries: 0 });
  // The body is the one that our own request had.
  const stream = client.chat.completions.stream(body as ChatCompletionStreamParams);
  let thinking = "";
  stream.on("chunk", (chunk) => {
    const delta = chunk.choices[0]?.delta ?? {};
    for (const name of ["reasoning_content", "reasoning"]) thinking += String(Reflect.get(delta, name) ?? "");
  });
  const { choices, usage } = await stream.finalChatCompletion();
  const choice = choices[0];
  return {
    text: choice?.message.content ?? "",
    thinking,
    signatures: [],
    toolCalls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? [{ id: call.id, name: call.function.name, inputJson: call.function.arguments }] : [],
    ),
    usage: {
      inputTokens: usage?.prompt_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
      cacheReadTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      cacheWriteTokens: usage?.prompt_tokens_details?.cache_write_tokens ?? 0,
      reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
    },
    stop: STOPS.get(choice?.finish_reason ?? "") ?? "",
  };
}

const STOPS = new Map([
  ["stop", "endTurn"],
  ["length", "maxTokens"],
  ["tool_calls", "toolUse"],
  ["content_filter", "refusal"],
]);
