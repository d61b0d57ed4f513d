import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createAnthropicProvider } from "../../src/adapters/anthropic/client.ts";
import { createOpenAiProvider } from "../../src/adapters/openai/client.ts";
import { modelId } from "../../src/core/ids.ts";
import { guardedProvider } from "../../src/core/stream/guardedProvider.ts";
import { realClock } from "../support/clocks.ts";
import { ask, nameOf } from "../support/models/providerRequests.ts";
import { list, member, text } from "./wireJson.ts";
import type { Script } from "./script.ts";

const MODEL = modelId("claude-haiku-5-5");

describe("local model servers in a separate process", () => {
  it("print their addresses, take scripts over HTTP, and end with standard input", async () => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, "main.ts"),
      "--key",
      "sk-x",
      "--life-ms",
      "30000",
    ]);
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const line = await new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
    const urls: unknown = JSON.parse(line);
    const [anthropic, openai, compatible] = ["anthropic", "openai", "compatible"].map((name) =>
      text(member(urls, name), "url"),
    );

    const script: Script = { match: "clamp", times: 1, answer: { text: "Scripted." } };
    const steered = await fetch(`${String(anthropic)}/control`, {
      method: "POST",
      body: JSON.stringify({ scripts: [script] }),
    });
    assert.equal(steered.status, 200);
    const provider = guardedProvider(
      createAnthropicProvider({ apiKey: "sk-x", baseUrl: String(anthropic) }),
      realClock,
    );
    assert.equal((await ask(provider, MODEL)).text, "Scripted.");
    const plain = await ask(provider, MODEL);
    assert.match(plain.text, /“What is a clamp\?”[^]+```ts/);
    const recorded: unknown = await (await fetch(`${String(anthropic)}/control/requests`)).json();
    assert.deepEqual(
      list({ recorded }, "recorded").map((request) => text(request, "path")),
      ["/v1/messages", "/v1/messages"],
    );

    for (const [name, baseUrl] of [
      ["openai", openai],
      ["openaiCompatible", compatible],
    ] as const) {
      const settings = {
        name,
        label: name,
        baseUrl: String(baseUrl),
        ...(name === "openai" ? { apiKey: "sk-x" } : {}),
      };
      const { end } = await ask(guardedProvider(createOpenAiProvider(settings), realClock), modelId("gpt-6-luna"));
      assert.equal(nameOf(end), "endTurn");
    }
    child.stdin.end();
    assert.equal(await ended, 0);
  });
});
