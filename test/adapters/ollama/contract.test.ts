import { createOllamaProvider } from "../../../src/adapters/ollama/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { providerContract } from "../../contracts/providerContract.ts";
import { providerFaultContract } from "../../contracts/providerFaults.ts";
import { providerLifetimeContract } from "../../contracts/providerLifetime.ts";
import { providerLogContract } from "../../contracts/providerLog.ts";
import type { Accumulated, ProviderUnderTest } from "../../contracts/providerUnderTest.ts";
import { list, member, text } from "../../servers/wireJson.ts";
import { startOllamaServer } from "../../servers/ollamaServer.ts";

const under: ProviderUnderTest = {
  label: "Ollama",
  model: modelId("qwen3:8b"),
  chatPath: "/api/chat",
  isUntyped: true,
  start: (key) => startOllamaServer({ key }),
  make: (baseUrl, apiKey) => createOllamaProvider({ apiKey, baseUrl }),
  accumulate,
};

providerContract(under);
providerLifetimeContract(under);
providerFaultContract(under);
providerLogContract(under);

/** Ollama's library has no accumulator; its users join the parts of the whole body like this. */
async function accumulate(address: string, apiKey: string, body: unknown): Promise<Accumulated> {
  const response = await fetch(`${address}/api/chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
  const lines = (await response.text()).split(/\r?\n/).filter((line) => line !== "");
  const parts = lines.map((line): unknown => JSON.parse(line));
  const messages = parts.map((part) => member(part, "message"));
  const last = parts.at(-1);
  const toolCalls = messages.flatMap((message) => list(message, "tool_calls"));
  const count = (name: string): number => Number(member(last, name) ?? 0);
  const ended = toolCalls.length > 0 ? "toolUse" : "endTurn";
  return {
    text: messages.map((message) => text(message, "content")).join(""),
    thinking: messages.map((message) => text(message, "thinking")).join(""),
    signatures: [],
    toolCalls: toolCalls.map((call) => ({
      id: text(call, "id"),
      name: text(member(call, "function"), "name"),
      inputJson: JSON.stringify(member(member(call, "function"), "arguments")),
    })),
    usage: {
      inputTokens: count("prompt_eval_count"),
      outputTokens: count("eval_count"),
      cacheReadTokens: count("prompt_eval_cached_count"),
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    },
    stop: text(last, "done_reason") === "length" ? "maxTokens" : ended,
  };
}
