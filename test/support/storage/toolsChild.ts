/**
 * Opens the conversation in a folder, recovers from the last kill, resumes an open batch as a user would, and runs
 * turns with tools until it kills itself. The irreversible effect of a tool is a line in a file beside the
 * conversation. Arguments: folder; the step at which it kills itself; the moment of that step.
 */

import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { acquireLease } from "../../../src/adapters/node/lease.ts";
import { messageId, toolCallId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import type { ConversationStore, StoreWrite } from "../../../src/core/store/conversationStore.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import type { Tool } from "../../../src/core/tools/tool.ts";
import { FaultyCalls } from "./faultyCalls.ts";
import { asynchronous, LocalStores } from "./localStore.ts";
import { askOrGoOn, openForTurns, orphansIn, resultsIn } from "../session/turnRun.ts";
import { batchStepOf, type BatchStep } from "../session/batchSteps.ts";

const [, , folder = "", mode = "", nth = "0"] = process.argv;
const TURNS = 3;
const CALLS = 3;
let stepNow: BatchStep = "open";
let momentsLeft = Number(nth);

const dieAt = (step: BatchStep): undefined => {
  if (step === mode && momentsLeft-- === 0) process.kill(process.pid, "SIGKILL");
  return undefined;
};
const say = (line: string): void => {
  writeSync(1, `${line}\n`); // synchronous, so that a kill cannot lose it
};

const lease = await acquireLease(folder);
if (!lease.ok) throw new Error(JSON.stringify(lease.error));
const faults = new FaultyCalls();
const stores = await LocalStores.load(faults);
faults.restart(() => dieAt(stepNow));
const opened = stores.open(folder);
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const store = watched(asynchronous(opened.value));

let asked = 0;
const provider: Provider = {
  name: "child",
  label: "Child",
  stream: () => (asked++ % 2 === 0 ? calling() : ending()),
  listModels: () => Promise.resolve(ok([])),
};
const count = (message: Message) => Promise.resolve({ cl100k: size(message), o200k: size(message) });
const deps = await openForTurns(store, { provider, tools: [counting()] }, { count });
const { batch } = deps.toolJournal;
const never = new AbortController().signal;
const before = await allMessages();
say(`found ${JSON.stringify({ orphans: orphansIn(before).length, done: doneIn(before), effects: effects() })}`);
if (batch !== undefined) {
  const states = Object.fromEntries(batch.calls.map(({ callId, state }) => [callId, state]));
  say(`open ${JSON.stringify(states)}`);
  asked = 1; // the model has already requested its tools
}
for (let turn = 0; turn < TURNS; turn++) {
  for await (const event of askOrGoOn(deps, never)) {
    if (event.kind === "callEnded" && event.result.outcome === "ok") say(`shown ${event.callId}`);
    if (event.kind === "failed") throw new Error(JSON.stringify(event.error));
  }
  asked = 0;
}
stepNow = "close";
await store.close();
say("ended");

/** A store that detects the batch step of each commit. */
function watched(inner: ConversationStore): ConversationStore {
  return {
    ...inner,
    commit: (writes: readonly StoreWrite[]) => {
      stepNow = batchStepOf(writes) ?? stepNow;
      return inner.commit(writes);
    },
  };
}

async function* calling(): AsyncGenerator<StreamEvent> {
  yield { kind: "text", text: "I count." };
  for (let call = 0; call < CALLS; call++) {
    const callId = toolCallId(randomUUID());
    yield { kind: "toolCallStart", callId, name: "count" };
    yield { kind: "toolCallArgs", callId, json: JSON.stringify({ key: callId }) };
  }
  await Promise.resolve();
  yield { kind: "done", stopReason: "toolUse" };
}

async function* ending(): AsyncGenerator<StreamEvent> {
  yield { kind: "text", text: "Counted." };
  await Promise.resolve();
  yield { kind: "done", stopReason: "endTurn" };
}

/** A tool whose effect is a line. A kill may happen before, during or after it. */
function counting(): Tool {
  return {
    effect: "runs",
    definition: { name: "count", description: "", inputSchemaJson: "{}" },
    describe: () => Promise.resolve(ok({ title: "Count", detail: "" })),
    run: (inputJson) => {
      dieAt("effect");
      const file = openSync(effectsFile(), "a");
      writeSync(file, `${inputJson}\n`);
      dieAt("effect");
      fsyncSync(file);
      closeSync(file);
      dieAt("effect");
      return Promise.resolve({ outcome: "ok", text: inputJson });
    },
  };
}

function effectsFile(): string {
  return join(folder, "..", "effects.log");
}

/** Number of effects by call. */
function effects(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const line of readFileSync(effectsFile(), { encoding: "utf8", flag: "a+" }).split("\n")) {
    const key = /"key":"([^"]+)"\}$/.exec(line)?.[1];
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Calls with a successful result in the history. */
function doneIn(messages: readonly Message[]): readonly string[] {
  return resultsIn(messages).flatMap(([callId, outcome]) => (outcome === "ok" ? [callId] : []));
}

async function allMessages(): Promise<readonly Message[]> {
  const ids = Array.from({ length: deps.conversation.history.length }, (_, id) => messageId(id));
  const read = await store.readMessages(ids);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value.map(({ message }) => message);
}

function size(message: Message): number {
  return JSON.stringify(message.parts).length;
}
