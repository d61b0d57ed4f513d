/** Leg `servers`: other servers of language models, as peers on the wire. */

import { writeFileSync, mkdirSync } from "node:fs";
import assert from "node:assert/strict";
import path from "node:path";
import { modelId } from "../../src/core/ids.ts";
import { freePort } from "../vscode/editorServer.ts";
import type { Checks } from "./checks.ts";
import type { Leg } from "./leg.ts";
import { startLlama } from "./llamaServer.ts";
import { startProgram } from "./localProgram.ts";
import { installPackages, noPackages, python, realDirectory } from "./packages.ts";
import { ask, endOf, listed, request, usageOf, type WireName, wireProvider, WIRES } from "./wireAnswer.ts";

const KEY = "sk-house-5b1f0c2d9e";
const MODEL = "small";

/** Servers that no package for this kind of machine holds. */
const NOT_RUN = "is not run here: no package of PyPI or npm holds it for Linux without a GPU, ready to run";

export const servers: Leg = {
  name: "servers",
  missing: noPackages,
  async run(checks) {
    const llama = await startLlama();
    try {
      const port = await freePort();
      const proxy = await startLiteLlm(port, llama.url);
      try {
        for (const name of WIRES) await proxied(checks, name, `http://127.0.0.1:${port}`);
      } finally {
        await proxy.stop();
      }
    } finally {
      await llama.stop();
    }
    for (const name of ["vLLM", "LM Studio", "SGLang", "TGI"]) checks.skip(name, `${name} ${NOT_RUN}`);
  },
};

/** LiteLLM's proxy before the server at `url`. */
function startLiteLlm(port: number, url: string): ReturnType<typeof startProgram> {
  const folder = installPackages("litellm");
  const config = path.join(realDirectory, "litellm.json");
  mkdirSync(realDirectory, { recursive: true });
  // Its configuration is YAML, of which JSON is a part.
  writeFileSync(
    config,
    JSON.stringify({
      model_list: [
        { model_name: MODEL, litellm_params: { model: "openai/small", api_base: `${url}/v1`, api_key: "none" } },
      ],
      litellm_settings: { drop_params: true, telemetry: false, num_retries: 0 },
      general_settings: { master_key: KEY },
    }),
  );
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/liveliness`).then(
      ({ ok }) => ok,
      () => false,
    );
  return startProgram({
    program: python,
    arguments: [path.join(folder, "bin/litellm"), "--config", config, "--host", "127.0.0.1", "--port", String(port)],
    env: { PYTHONPATH: folder, LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_TELEMETRY: "False", DO_NOT_TRACK: "1" },
    logFile: path.join(realDirectory, "logs", "litellm.log"),
    isReady,
    timeoutMs: 240_000,
  });
}

async function proxied(checks: Checks, name: WireName, url: string): Promise<void> {
  const provider = wireProvider(name, url, KEY);
  const title = (what: string): string => `LiteLLM, ${name}: ${what}`;
  await checks.check(title("lists its model"), async () => {
    const models = await listed(provider);
    assert.deepEqual(
      models.map(({ id }) => id),
      [MODEL],
    );
    return `${String(models[0]?.limits?.contextWindow ?? "no")} window`;
  });
  await checks.check(title("streams an answer with its usage"), async () => {
    const answer = await ask(provider, MODEL, request("Say hello in one short sentence.", modelId(MODEL)), {
      maxOutputTokens: 200,
    });
    assert.equal(endOf(answer), "endTurn", JSON.stringify(answer.end));
    assert.ok(answer.text.trim() !== "" && answer.pieces > 1, JSON.stringify(answer.text));
    const { inputTokens, outputTokens } = usageOf(answer);
    assert.ok(inputTokens > 10 && outputTokens > 0, JSON.stringify(answer.usage));
    return `${String(inputTokens)} in, ${String(outputTokens)} out`;
  });
  await checks.check(title("an answer that is cut at its limit says so"), async () => {
    const answer = await ask(provider, MODEL, request("Tell a long story of a ship.", modelId(MODEL)), {
      maxOutputTokens: 24,
    });
    assert.equal(endOf(answer), "maxTokens", JSON.stringify(answer.end));
    return answer.text.slice(-40);
  });
  await checks.check(title("a request longer than the window is named as one"), async () => {
    const answer = await ask(provider, MODEL, request("the quick brown fox ".repeat(3_000), modelId(MODEL)));
    assert.equal(endOf(answer), "SERVICE_UNAVAILABLE contextOverflow", JSON.stringify(answer.end));
    return "contextOverflow";
  });
  await checks.check(title("an unknown model is named as one"), async () => {
    const answer = await ask(provider, "no-such-model", request("Hi", modelId("x")));
    assert.equal(endOf(answer), "MODEL_UNKNOWN", JSON.stringify(answer.end));
    return "MODEL_UNKNOWN";
  });
  await checks.check(title("a wrong key is refused as one"), async () => {
    const answer = await ask(wireProvider(name, url, "sk-wrong"), MODEL, request("Hi", modelId(MODEL)));
    assert.equal(endOf(answer), "AUTH_FAILED", JSON.stringify(answer.end));
    return "AUTH_FAILED";
  });
}
