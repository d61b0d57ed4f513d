import OpenAI from "openai";
import type { ChatCompletionStreamParams } from "openai/lib/ChatCompletionStream";
import type { ResponseStreamParams } from "openai/lib/responses/ResponseStream";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { providerContract } from "../../contracts/providerContract.ts";
import { providerFaultContract } from "../../contracts/providerFaults.ts";
import { providerLifetimeContract } from "../../contracts/providerLifetime.ts";
import { providerLogContract } from "../../contracts/providerLog.ts";
import type { Accumulated, ProviderUnderTest } from "../../contracts/providerUnderTest.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { startResponsesServer } from "../../servers/responsesServer.ts";

const model = modelId("gpt-6-luna");

const responses: ProviderUnderTest = {
  label: "OpenAI",
  model,
  chatPath: "/v1/responses",
  start: (key) => startResponsesServer({ key }),
  make: (baseUrl, apiKey) =>
    createOpenAiProvider({ name: "openai", label: "OpenAI", wire: "responses", apiKey, baseUrl }),
  accumulate: accumulateResponse,
};

const compatible: ProviderUnderTest = {
  label: "a compatible server",
  model,
  chatPath: "/v1/chat/completions",
  start: (key) => startOpenAiServer({ key, dialect: "openRouter" }),
  make: (baseUrl, apiKey) => createOpenAiProvider({ name: "openaiCompatible", label: "Router", apiKey, baseUrl }),
  accumulate,
};

for (const under of [responses, compatible]) {
  providerContract(under);
  providerLifetimeContract(under);
  providerFaultContract(under);
  providerLogContract(under);
}

function client(address: string, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, organization: null, project: null, baseURL: `${address}/v1`, maxRetries: 0 });
}

async function accumulateResponse(address: string, apiKey: string, body: unknown): Promise<Accumulated> {
  // The body of our own request.
  const stream = client(address, apiKey).responses.stream(body as ResponseStreamParams);
  const { output, usage, incomplete_details: incomplete } = await stream.finalResponse();
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const toolCalls = output.flatMap((item) =>
    item.type === "function_call" ? [{ id: item.call_id, name: item.name, inputJson: item.arguments }] : [],
  );
  const reasoning = output.flatMap((item) => (item.type === "reasoning" ? [item] : []));
  const refused = parts.some((part) => part.type === "refusal");
  const whole = toolCalls.length > 0 ? "toolUse" : "endTurn";
  return {
    text: parts.map((part) => (part.type === "refusal" ? part.refusal : part.text)).join(""),
    thinking: reasoning.map(({ summary }) => summary.map(({ text }) => text).join("\n\n")).join(""),
    signatures: reasoning.map(({ id, encrypted_content: sealed }) => `openai:${id} ${sealed ?? ""}`),
    toolCalls,
    usage: {
      inputTokens: usage?.input_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
      cacheReadTokens: usage?.input_tokens_details.cached_tokens ?? 0,
      cacheWriteTokens: usage?.input_tokens_details.cache_write_tokens ?? 0,
      reasoningTokens: usage?.output_tokens_details.reasoning_tokens ?? 0,
    },
    stop: refused ? "refusal" : incomplete?.reason === "max_output_tokens" ? "maxTokens" : whole,
  };
}

async function accumulate(address: string, apiKey: string, body: unknown): Promise<Accumulated> {
  // The body of our own request.
  const stream = client(address, apiKey).chat.completions.stream(body as ChatCompletionStreamParams);
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
