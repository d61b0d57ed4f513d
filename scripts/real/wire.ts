/** Leg `wire`: a real server through every adapter that it speaks to. */

import assert from "node:assert/strict";
import { modelId, toolCallId, type ModelId } from "../../src/core/ids.ts";
import { textMessage } from "../../src/core/message.ts";
import type { ToolDefinition } from "../../src/core/context/request/requestOverhead.ts";
import type { PreparedContext } from "../../src/core/context/request/preparedContext.ts";
import type { Provider } from "../../src/core/stream/provider.ts";
import { NEVER } from "../../test/support/models/providerRequests.ts";
import { until } from "../vscode/until.ts";
import type { Checks } from "./checks.ts";
import { CountedTalk, percent, TALK } from "./countedTalk.ts";
import type { Leg } from "./leg.ts";
import {
  isBusy,
  type LlamaServer,
  MODEL_WINDOW,
  readServer,
  startLlama,
  startLoadingLlama,
  TOOLS_TEMPLATE,
} from "./llamaServer.ts";
import { noPackages } from "./packages.ts";
import { ask, endOf, listed, request, usageOf, type WireName, wireProvider, WIRES } from "./wireAnswer.ts";

const KEY = "house-key-5b1f0c2d9e";
/** Largest error of a count once a bill is known, in percent. */
const COUNT_PERCENT = 10;
/** Longest time until the server stops writing for a reader that has gone, in milliseconds. */
const RELEASE_MS = 3_000;

export const wire: Leg = {
  name: "wire",
  missing: noPackages,
  async run(checks) {
    await using(await startLlama(), async (server) => {
      const provider = wireProvider("Chat Completions", server.url);
      const [model] = await listed(provider);
      assert.ok(model, "the server lists its model");
      for (const name of WIRES) await answers(checks, name, server, model.id);
      await counts(checks, server, provider, model.id);
      await slots(checks, server, model.id);
    });
    await using(await startLlama({ templateFile: TOOLS_TEMPLATE, alias: "SmolLM2-135M-tools" }), async (server) => {
      for (const name of WIRES) await toolCalls(checks, name, server);
      await countsWithTools(checks, server);
    });
    await using(await startLlama({ apiKey: KEY }), async (server) => {
      for (const name of WIRES) await keys(checks, name, server);
    });
    await using(await startLlama({ isRouter: true }), (server) => router(checks, server));
    await loading(checks);
  },
};

async function using(server: LlamaServer, work: (server: LlamaServer) => Promise<void>): Promise<void> {
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

/** List, stream, limit, cancellation, too long. */
async function answers(checks: Checks, name: WireName, server: LlamaServer, model: ModelId): Promise<void> {
  const provider = wireProvider(name, server.url);
  await checks.check(`${name}: lists the model`, async () => {
    const models = await listed(provider);
    assert.deepEqual(
      models.map(({ id }) => id),
      [model],
    );
    const window = models[0]?.limits?.contextWindow;
    if (name === "Chat Completions") assert.equal(window, MODEL_WINDOW);
    return `${String(window ?? "no")} tokens window, tools ${String(models[0]?.callsTools ?? "not said")}`;
  });
  await checks.check(`${name}: streams an answer with its usage`, async () => {
    const answer = await ask(provider, model, request("Say hello in one short sentence.", model), {
      maxOutputTokens: 200,
    });
    assert.equal(endOf(answer), "endTurn");
    assert.ok(answer.text.trim() !== "" && answer.pieces > 1, `a stream of text, not ${JSON.stringify(answer.text)}`);
    const usage = usageOf(answer);
    assert.ok(usage.inputTokens > 10 && usage.outputTokens > 0, JSON.stringify(usage));
    const perSecond = (usage.outputTokens / (answer.ms - answer.firstEventMs)) * 1_000;
    return `${String(usage.inputTokens)} in, ${String(usage.outputTokens)} out, first word ${answer.firstEventMs.toFixed(0)} ms, ${perSecond.toFixed(0)} tokens/s`;
  });
  await checks.check(`${name}: an answer that is cut at its limit says so`, async () => {
    const answer = await ask(provider, model, request("Tell a long story of a ship.", model), { maxOutputTokens: 24 });
    assert.equal(endOf(answer), "maxTokens");
    return `${String(usageOf(answer).outputTokens)} of 24 tokens`;
  });
  await checks.check(`${name}: a cancelled answer ends at once, and frees the server`, async () => {
    const cancel = new AbortController();
    let abortedAt = 0;
    const answer = await ask(provider, model, request("Count from one to a thousand in words.", model), {
      maxOutputTokens: 4_000,
      cancel: cancel.signal,
      onEvent: (event) => {
        if (event.kind !== "text" || cancel.signal.aborted) return;
        abortedAt = performance.now();
        cancel.abort();
      },
    });
    const endedMs = performance.now() - abortedAt;
    assert.equal(endOf(answer), "CANCELLED");
    const freed = await until(async () => ((await isBusy(server)) ? undefined : true), RELEASE_MS);
    assert.ok(freed, `the server still writes ${String(RELEASE_MS)} ms later`);
    return `ended after ${endedMs.toFixed(0)} ms, idle after ${(performance.now() - abortedAt).toFixed(0)} ms`;
  });
  await checks.check(`${name}: a request longer than the window names the window`, async () => {
    const answer = await ask(provider, model, request("the quick brown fox ".repeat(3_000), model));
    assert.equal(endOf(answer), "SERVICE_UNAVAILABLE contextOverflow");
    const error = answer.end !== undefined && "error" in answer.end ? answer.end.error : undefined;
    assert.ok(error?.code === "SERVICE_UNAVAILABLE");
    assert.equal(error.windowTokens, MODEL_WINDOW);
    return error.detail;
  });
}

/** Forge's count against the server's own and the bill: at first, and once a bill is known. */
async function counts(checks: Checks, server: LlamaServer, provider: Provider, model: ModelId): Promise<void> {
  const rows: (readonly (string | number)[])[] = [];
  for (const [name, text] of TALK) {
    await checks.check(`Forge's count of ${name} against the server's own and its bill`, async () => {
      const talk = new CountedTalk(model);
      talk.add(textMessage("user", text));
      const first = talk.prepared();
      const counted = first.usage().usedTokens;
      const own = await tokensOf(server, provider, first, model);
      const answer = await ask(provider, model, first, { maxOutputTokens: 40 });
      const billed = usageOf(answer).inputTokens;
      talk.manager.recordReportedUsage({ inputTokens: billed });
      talk.add(textMessage("assistant", answer.text));
      talk.add(textMessage("user", `And now this. ${text.slice(0, 300)}`));
      const second = talk.prepared();
      const next = await ask(provider, model, second, { maxOutputTokens: 8 });
      const nextBilled = usageOf(next).inputTokens;
      const nextCounted = second.usage().usedTokens;
      rows.push([
        name,
        counted,
        own,
        billed,
        percent(counted, billed),
        nextCounted,
        nextBilled,
        percent(nextCounted, nextBilled),
      ]);
      assert.ok(Math.abs(own - billed) <= 2, `the server counts ${String(own)} and bills ${String(billed)}`);
      assert.ok(usageOf(next).cacheReadTokens > billed / 2, `little was cached: ${JSON.stringify(next.usage)}`);
      const note = `counted ${String(counted)}, billed ${String(billed)} (${percent(counted, billed)}), then ${String(nextCounted)} for ${String(nextBilled)} (${percent(nextCounted, nextBilled)})`;
      assert.ok(Math.abs(nextCounted - nextBilled) <= (nextBilled * COUNT_PERCENT) / 100, note);
      return note;
    });
  }
  checks.table({
    title: "tokens counted by Forge and billed by the server",
    columns: ["text", "counted", "/tokenize", "billed", "error", "then counted", "then billed", "error"],
    rows,
  });
}

/** The server's own count of a request. */
async function tokensOf(
  server: LlamaServer,
  provider: Provider,
  prepared: PreparedContext,
  model: ModelId,
): Promise<number> {
  const messages = await prepared.apiMessages();
  assert.ok(messages.ok && provider.requestBody);
  const { systemPrompt, tools, limits } = prepared;
  const wireContext = { systemPrompt, tools, messages: messages.value };
  const body = await provider.requestBody(wireContext, { model, maxOutputTokens: 8 }, limits);
  const { prompt } = (await readServer(server, "/apply-template", body)) as { readonly prompt: string };
  const content = { content: prompt, add_special: true, parse_special: true };
  const { tokens } = (await readServer(server, "/tokenize", content)) as { readonly tokens: readonly number[] };
  return tokens.length;
}

/** A second request waits for the only slot, and is answered after the first. */
async function slots(checks: Checks, server: LlamaServer, model: ModelId): Promise<void> {
  await checks.check("one slot: a second request waits, and both are answered", async () => {
    const props = (await readServer(server, "/props")) as { readonly total_slots: number };
    assert.equal(props.total_slots, 1);
    const provider = wireProvider("Chat Completions", server.url);
    const first = ask(provider, model, request("Tell a story of a ship in a storm.", model), { maxOutputTokens: 120 });
    await until(async () => ((await isBusy(server)) ? true : undefined), 10_000);
    const second = ask(provider, model, request("Say yes.", model), { maxOutputTokens: 8 });
    const [one, two] = await Promise.all([first, second]);
    assert.ok(one.text !== "" && two.text !== "", `${endOf(one)}, ${endOf(two)}`);
    return `the second waited ${two.firstEventMs.toFixed(0)} ms for its first word`;
  });
}

const READ_FILE: ToolDefinition = {
  name: "read_file",
  description: "Reads a text file of the workspace.",
  inputSchemaJson: '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}',
};

/** A call, streamed in pieces, and the answer from its result. */
async function toolCalls(checks: Checks, name: WireName, server: LlamaServer): Promise<void> {
  const provider = wireProvider(name, server.url);
  const model = modelId("SmolLM2-135M-tools");
  await checks.check(`${name}: calls a tool, and answers from its result`, async () => {
    const talk = new CountedTalk(model, [READ_FILE]);
    talk.add(textMessage("user", "Read notes.md"));
    const called = await ask(provider, model, talk.prepared(), { maxOutputTokens: 100 });
    assert.deepEqual(
      { end: endOf(called), calls: called.toolCalls.map((call) => [call.name, JSON.parse(call.inputJson) as unknown]) },
      { end: "toolUse", calls: [["read_file", { path: "notes.md" }]] },
    );
    const inputJson = called.toolCalls[0]?.inputJson ?? "";
    const callId = toolCallId(called.toolCalls[0]?.id ?? "");
    talk.add({ role: "assistant", parts: [{ kind: "toolCall", callId, name: "read_file", inputJson }] });
    talk.add({ role: "user", parts: [{ kind: "toolResult", callId, outcome: "ok", text: "The port is 8471." }] });
    const answered = await ask(provider, model, talk.prepared(), { maxOutputTokens: 60 });
    assert.match(answered.text, /8471/);
    return answered.text.trim();
  });
}

async function countsWithTools(checks: Checks, server: LlamaServer): Promise<void> {
  const model = modelId("SmolLM2-135M-tools");
  const provider = wireProvider("Chat Completions", server.url);
  await checks.check("Forge's count with a tool against the server's bill, once one is known", async () => {
    const talk = new CountedTalk(model, [READ_FILE]);
    talk.add(textMessage("user", "Read notes.md"));
    const first = talk.prepared();
    const counted = first.usage().usedTokens;
    const billed = usageOf(await ask(provider, model, first, { maxOutputTokens: 40 })).inputTokens;
    talk.manager.recordReportedUsage({ inputTokens: billed });
    talk.add(textMessage("assistant", "It says that the port is 8471."));
    talk.add(textMessage("user", "Read docs/other.md"));
    const second = talk.prepared();
    const again = usageOf(await ask(provider, model, second, { maxOutputTokens: 40 })).inputTokens;
    const note = `${String(counted)} for ${String(billed)}, then ${String(second.usage().usedTokens)} for ${String(again)}`;
    assert.ok(Math.abs(second.usage().usedTokens - again) <= (again * COUNT_PERCENT) / 100, note);
    return note;
  });
}

async function keys(checks: Checks, name: WireName, server: LlamaServer): Promise<void> {
  await checks.check(`${name}: a wrong key is refused as one, and the right one is taken`, async () => {
    const wrong = wireProvider(name, server.url, "wrong-key-77c1");
    const right = wireProvider(name, server.url, KEY);
    const list = await wrong.listModels(NEVER);
    const model = modelId("any");
    const refused = await ask(wrong, model, request("Say yes.", model));
    const taken = await ask(right, model, request("Say yes.", model), { maxOutputTokens: 4 });
    assert.deepEqual(
      [list.ok ? "listed" : list.error.code, endOf(refused), "stopReason" in (taken.end ?? {})],
      // llama.cpp lists its models to anyone.
      [list.ok ? "listed" : "AUTH_FAILED", "AUTH_FAILED", true],
    );
    return list.ok ? "the list needs no key" : "the list needs the key, too";
  });
}

/** A server of several models, which loads them when they are asked for. */
async function router(checks: Checks, server: LlamaServer): Promise<void> {
  const provider = wireProvider("Chat Completions", server.url);
  await checks.check("router mode: lists its models, and loads the one that is asked for", async () => {
    const models = await listed(provider);
    assert.deepEqual(models.map(({ id }) => id).toSorted(), ["small-one", "small-two"]);
    const answer = await ask(provider, "small-two", request("Say yes.", modelId("small-two")), { maxOutputTokens: 8 });
    assert.ok("stopReason" in (answer.end ?? {}), JSON.stringify(answer.end));
    return `first word of a model that was not loaded: ${answer.firstEventMs.toFixed(0)} ms`;
  });
  await checks.check("router mode: the windows of a loaded model and of one that is not", async () => {
    const windows = (await listed(provider)).map(({ id, limits }) => [id, limits?.contextWindow] as const);
    assert.deepEqual(Object.fromEntries(windows), { "small-one": MODEL_WINDOW, "small-two": MODEL_WINDOW / 2 });
    return JSON.stringify(windows);
  });
  for (const name of WIRES)
    await checks.check(`router mode, ${name}: an unknown model is named as one`, async () => {
      const answer = await ask(wireProvider(name, server.url), "no-such-model", request("Hi", modelId("x")));
      assert.equal(endOf(answer), "MODEL_UNKNOWN", JSON.stringify(answer.end));
      return "MODEL_UNKNOWN";
    });
}

/** Starts of the server that are tried for one that is still loading when it is asked. */
const LOADING_TRIES = 3;

async function loading(checks: Checks): Promise<void> {
  for (let attempt = 0; attempt < LOADING_TRIES; attempt++) {
    const server = await startLoadingLlama();
    try {
      const isLoading = await until(
        () =>
          fetch(`${server.url}/health`).then(
            ({ status }) => status === 503,
            () => undefined,
          ),
        60_000,
      );
      if (isLoading !== true) continue;
      await checks.check("a message sent while the model is being loaded is answered when it is there", async () => {
        const model = modelId("any");
        const provider = wireProvider("Chat Completions", server.url);
        const answer = await ask(provider, model, request("Say yes.", model), { maxOutputTokens: 8 });
        assert.ok("stopReason" in (answer.end ?? {}), JSON.stringify(answer.end));
        return `first word after ${answer.firstEventMs.toFixed(0)} ms; waited for: ${answer.waited.join(", ") || "nothing"}`;
      });
      return;
    } finally {
      await server.stop();
    }
  }
  checks.skip("a message sent while the model is being loaded", "the model was loaded too fast to be asked before");
}
