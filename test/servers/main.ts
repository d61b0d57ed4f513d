/**
 * Starts the local servers in a separate process and prints one line of JSON:
 * `{"anthropic":{"url":…},"openai":{"url":…},"compatible":{"url":…}}`. Ends when standard input ends, or after
 * `--life-ms N` (10 minutes). `--key K` accepts only that key; the compatible server requires none.
 */

import { parseArgs } from "node:util";
import { startAnthropicServer } from "./anthropicServer.ts";
import { startOpenAiServer } from "./openaiServer.ts";
import { startResponsesServer } from "./responsesServer.ts";

const { values } = parseArgs({ options: { key: { type: "string" }, "life-ms": { type: "string" } } });
const lifeMs = Number(values["life-ms"] ?? 600_000);
const locked = values.key === undefined ? { lifeMs } : { lifeMs, key: values.key };
const [anthropic, openai, compatible] = await Promise.all([
  startAnthropicServer(locked),
  startResponsesServer(locked),
  startOpenAiServer({ lifeMs, dialect: "vllm" }),
]);
const urls = { anthropic: { url: anthropic.url }, openai: { url: openai.url }, compatible: { url: compatible.url } };
process.stdout.write(`${JSON.stringify(urls)}\n`);
const end = (): void => {
  void Promise.all([anthropic.close(), openai.close(), compatible.close()]).then(() => process.exit(0));
};
process.stdin.on("end", end).on("error", end).resume();
setTimeout(end, lifeMs);
