/** Leg `ollama`: a real Ollama, built from its Go module, through Forge's adapter. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createOllamaProvider, type ContextCut } from "../../src/adapters/ollama/client.ts";
import { modelId } from "../../src/core/ids.ts";
import { textMessage } from "../../src/core/message.ts";
import { guardedProvider } from "../../src/core/stream/guardedProvider.ts";
import { realClock } from "../../test/support/clocks.ts";
import { freePort } from "../vscode/editorServer.ts";
import { until } from "../vscode/until.ts";
import type { Checks } from "./checks.ts";
import { CountedTalk, percent, TALK } from "./countedTalk.ts";
import type { Leg } from "./leg.ts";
import { MODEL_WINDOW, modelFile } from "./llamaServer.ts";
import { type LocalProgram, startProgram } from "./localProgram.ts";
import { installSource, noPackages, realDirectory } from "./packages.ts";
import { ask, endOf, listed, request, usageOf } from "./wireAnswer.ts";

const VERSION = "v0.17.4";
const MODEL = "smollm2";
/** Headers that the module leaves out of its `vendor` folder, and the packages of Debian that hold them. */
const HEADERS = ["/usr/include/nlohmann/json.hpp", "/usr/include/stb/stb_image.h"];
const INSTALL_HEADERS = "apt-get install -y --no-install-recommends golang-go nlohmann-json3-dev libstb-dev";
/** Largest errors of a count before any bill and after one, in percent. */
const FIRST_COUNT_PERCENT = 25;
const NEXT_COUNT_PERCENT = 3;

const program = path.join(realDirectory, "ollama", "ollama");

export const ollama: Leg = {
  name: "ollama",
  missing({ isNamed }) {
    const packages = noPackages();
    if (packages !== undefined || existsSync(program)) return packages;
    if (!isNamed) return "needs Ollama, which `npm run real -- ollama` builds in 5 to 15 minutes";
    return hasGo() && HEADERS.every((file) => existsSync(file))
      ? undefined
      : `needs Go and two libraries to build Ollama: ${INSTALL_HEADERS}`;
  },
  async run(checks) {
    if (!existsSync(program)) build();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = await start(port, url);
    try {
      await speak(checks, url);
    } finally {
      await server.stop();
    }
  },
};

function hasGo(): boolean {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function build(): void {
  console.error(`building Ollama ${VERSION} into .vscode-test/real/ollama (once, 5 to 15 minutes)`);
  const flags = `-O2 -march=x86-64-v3 -I${installSource("miniaudio")}`;
  mkdirSync(path.dirname(program), { recursive: true });
  execFileSync("go", ["install", `github.com/ollama/ollama@${VERSION}`], {
    env: { ...process.env, GOBIN: path.dirname(program), CGO_CFLAGS: flags, CGO_CXXFLAGS: flags },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Starts Ollama with the small model. */
async function start(port: number, url: string): Promise<LocalProgram> {
  const folder = path.join(realDirectory, "ollama");
  const env = {
    OLLAMA_HOST: `127.0.0.1:${port}`,
    OLLAMA_MODELS: path.join(folder, "models"),
    OLLAMA_NUM_PARALLEL: "1",
    HOME: folder,
  };
  const server = await startProgram({
    program,
    arguments: ["serve"],
    env,
    logFile: path.join(realDirectory, "logs", "ollama.log"),
    isReady: () =>
      fetch(`${url}/api/version`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  try {
    const recipe = path.join(folder, "Modelfile");
    writeFileSync(recipe, `FROM ${modelFile()}\n`);
    execFileSync(program, ["create", MODEL, "-f", recipe], { env: { ...process.env, ...env }, stdio: "ignore" });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function speak(checks: Checks, url: string): Promise<void> {
  const cuts: ContextCut[] = [];
  const provider = guardedProvider(createOllamaProvider({ baseUrl: url, onCut: (cut) => cuts.push(cut) }), realClock);
  const model = modelId(`${MODEL}:latest`);
  await checks.check("lists its model, which cannot call tools", async () => {
    const [found, ...others] = await listed(provider);
    assert.deepEqual([found?.id, others.length, found?.callsTools], [model, 0, false]);
    return `${String(found?.limits?.contextWindow ?? "no")} tokens window`;
  });
  await checks.check("streams an answer with its usage", async () => {
    const talk = new CountedTalk(model);
    talk.add(textMessage("user", "Say hello in one short sentence."));
    const answer = await ask(provider, model, talk.prepared(), { maxOutputTokens: 100 });
    assert.ok(answer.text.trim() !== "" && answer.pieces > 1, JSON.stringify(answer));
    const { inputTokens, outputTokens } = usageOf(answer);
    return `${String(inputTokens)} in, ${String(outputTokens)} out, first word ${answer.firstEventMs.toFixed(0)} ms`;
  });
  await checks.check("an answer that is cut at its limit says so", async () => {
    const answer = await ask(provider, model, request("Tell a long story of a ship.", model, MODEL_WINDOW), {
      maxOutputTokens: 24,
    });
    assert.equal(endOf(answer), "maxTokens", JSON.stringify(answer.end));
    return `${String(usageOf(answer).outputTokens)} of 24 tokens`;
  });
  await checks.check("a cancelled answer ends at once", async () => {
    const cancel = new AbortController();
    let abortedAt = 0;
    const answer = await ask(provider, model, request("Count to a thousand in words.", model, MODEL_WINDOW), {
      maxOutputTokens: 2_000,
      cancel: cancel.signal,
      onEvent: ({ kind }) => {
        if (kind !== "text" || cancel.signal.aborted) return;
        abortedAt = performance.now();
        cancel.abort();
      },
    });
    assert.equal(endOf(answer), "CANCELLED");
    return `after ${(performance.now() - abortedAt).toFixed(0)} ms`;
  });
  for (const [name, text] of TALK)
    await checks.check(
      `Forge's count of ${name}: within 25 % of the first bill, within 3 % of the second`,
      async () => {
        const talk = new CountedTalk(model);
        talk.add(textMessage("user", text));
        const first = talk.prepared();
        const answer = await ask(provider, model, first, { maxOutputTokens: 40 });
        const billed = usageOf(answer).inputTokens;
        talk.manager.recordReportedUsage({ inputTokens: billed });
        talk.add(textMessage("assistant", answer.text));
        talk.add(textMessage("user", "And why is that so? Tell me in one sentence."));
        const second = talk.prepared();
        const again = usageOf(await ask(provider, model, second, { maxOutputTokens: 8 })).inputTokens;
        const [counted, recounted] = [first.usage().usedTokens, second.usage().usedTokens];
        const note = `${String(counted)} for ${String(billed)} (${percent(counted, billed)}), then ${String(recounted)} for ${String(again)} (${percent(recounted, again)})`;
        assert.ok(Math.abs(counted - billed) <= (billed * FIRST_COUNT_PERCENT) / 100, note);
        assert.ok(Math.abs(recounted - again) <= (again * NEXT_COUNT_PERCENT) / 100, note);
        return note;
      },
    );
  await checks.check("the whole window is used, and nothing is cut without a word", async () => {
    const long = new CountedTalk(model);
    long.add(textMessage("user", `Begin: the harbour is Brest. ${"The tide is high at noon. ".repeat(700)}Say yes.`));
    const prepared = long.prepared();
    const answer = await ask(provider, model, prepared, { maxOutputTokens: 8 });
    await until(() => (cuts.length > 0 ? true : undefined), 3_000);
    const { inputTokens } = usageOf(answer);
    assert.ok(inputTokens > prepared.usage().usedTokens * 0.8 || cuts.length > 0, `${String(inputTokens)} were read`);
    return `${String(inputTokens)} tokens read of ${String(prepared.usage().usedTokens)} counted; told: ${JSON.stringify(cuts)}`;
  });
  await checks.check("an unknown model is named as one", async () => {
    const answer = await ask(provider, "no-such-model", request("Hi", modelId("x"), MODEL_WINDOW));
    assert.equal(endOf(answer), "MODEL_UNKNOWN", JSON.stringify(answer.end));
    return "MODEL_UNKNOWN";
  });
}
