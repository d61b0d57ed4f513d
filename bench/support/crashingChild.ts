/**
 * Opens the conversation in a folder, recovers from the last crash, then streams answers and runs tools until killed.
 * Prints a number only when its commit is acknowledged, which is when the chat shows it. Arguments: folder; `worker` to
 * be killed from outside, or the step at which it kills itself; the number of that step's file call; the worker's file.
 */

import { randomUUID } from "node:crypto";
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/adapters/node/clock.ts";
import { writeMeta } from "../../src/adapters/node/conversationMeta.ts";
import { nodeFiles } from "../../src/adapters/node/files.ts";
import { acquireLease } from "../../src/adapters/node/lease.ts";
import type { StorageFailed } from "../../src/core/errors.ts";
import { erasurePlaceholder, ERASED_TEXT, makeErasure } from "../../src/core/history/erasure.ts";
import { messageId, modelId, stepId, toolCallId } from "../../src/core/ids.ts";
import { recoverAnswers } from "../../src/core/journal/recoverAnswers.ts";
import { StreamJournal } from "../../src/core/journal/streamJournal.ts";
import { recoverToolBatches, resultsOf } from "../../src/core/journal/toolBatch.ts";
import { ToolJournal } from "../../src/core/journal/toolJournal.ts";
import { textOf, type Message } from "../../src/core/message.ts";
import type { ConversationStore } from "../../src/core/store/conversationStore.ts";
import type { Result } from "../../src/core/result.ts";
import { FaultyCalls } from "../../test/support/storage/faultyCalls.ts";
import { faultyFiles } from "../../test/support/storage/faultyFiles.ts";
import { asynchronous, LocalStores, type LocalStore } from "../../test/support/storage/localStore.ts";
import { openStore } from "../../test/support/storage/sqliteStore.ts";
import { messageRecord } from "../../test/support/storage/storeBuilders.ts";

const [, , folder = "", mode = "worker", nth = "0", workerFile = ""] = process.argv;
const model = modelId("test");
let stepNow = "lease";
let callsLeft = Number(nth);
let localStore: LocalStore | undefined;

const dieAt = (step: string): undefined => {
  if (step === mode && callsLeft-- === 0) process.kill(process.pid, "SIGKILL");
  return undefined;
};
const say = (line: string): void => {
  writeSync(1, `${line}\n`); // synchronous, so that a kill cannot lose it
};

const began = performance.now();
const files = mode === "lease" ? faultyFiles(() => dieAt("lease")) : nodeFiles;
valueOf(await acquireLease(folder, { files }));
const store = withCounts(await open());
stepNow = "recover";
const numbers = await settle(store);
const recoverMs = performance.now() - began;
const isGapless = numbers.every((number, index) => number === index);
say(`found ${numbers.length} ${isGapless ? "gapless" : "GAP"} ${recoverMs.toFixed(0)}`);

let nextNumber = numbers.length;
let nextMessage = await countMessages(store);
for (let turn = 0; mode === "worker" || turn < 3; turn++) {
  await streamAnswer();
  await runTools();
  stepNow = "index";
  localStore?.fillIndex(4);
  if (mode === "erase" || turn % 5 === 4) await eraseSecret();
}
stepNow = "checkpoint";
await store.close();

async function open(): Promise<ConversationStore> {
  if (mode === "worker") return openStore(folder, { workerFile });
  const faults = new FaultyCalls();
  const stores = await LocalStores.load(faults);
  faults.restart(() => dieAt(stepNow));
  stepNow = existsSync(join(folder, "conversation.sqlite")) ? "recover" : "create";
  localStore = valueOf(stores.open(folder));
  return asynchronous(localStore);
}

/** Writes what is stored to `meta.json` after each commit of records, as the host does: the next opening compares it. */
function withCounts(inner: ConversationStore): ConversationStore {
  let { messageCount, recordCount } = inner.shape;
  const count = async (messages: number, records: number): Promise<void> => {
    messageCount += messages;
    recordCount += records;
    const usage = { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 };
    const texts = { title: "", provider: "", model: "" };
    const times = { createdAtMs: 0, lastUsedAtMs: 0 };
    valueOf(
      await writeMeta(folder, { version: 1, messageCount, recordCount, undecided: 0, usage, ...texts, ...times }),
    );
  };
  return {
    shape: inner.shape,
    closed: inner.closed,
    readIndex: (from, limit) => inner.readIndex(from, limit),
    readMessages: (ids) => inner.readMessages(ids),
    search: (query, options) => inner.search(query, options),
    searchRanked: (query, options) => inner.searchRanked(query, options),
    close: () => inner.close(),
    commit: async (writes) => {
      const stored = await inner.commit(writes);
      const records = writes.flatMap((write) => (write.kind === "record" ? [write.record] : []));
      const messages = records.filter(({ kind }) => kind === "message").length;
      if (stored.ok && records.length > 0) await count(messages, records.length);
      return stored;
    },
    erase: async (erasure) => {
      const erased = await inner.erase(erasure);
      if (erased.ok) await count(0, 1);
      return erased;
    },
  };
}

async function streamAnswer(): Promise<void> {
  const id = stepId(randomUUID());
  stepNow = "begin";
  const start = { stepId: id, model, asked: messageId(0), startedAtMs: Date.now() };
  const journal = valueOf(await new StreamJournal(store, systemClock).beginSession(start));
  stepNow = "append";
  const pieces: Promise<void>[] = [];
  for (let piece = 0; piece < 20; piece++) {
    const number = nextNumber++;
    pieces.push(
      journal.append([{ kind: "text", text: `${number} ` }]).then((result) => {
        if (result.ok) say(`shown ${number}`);
      }),
    );
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
  }
  await Promise.all(pieces);
  stepNow = "seal";
  await journal.append([{ kind: "done", stopReason: "endTurn" }]);
  const message = journal.seal();
  stepNow = "commit";
  const record = { ...messageRecord(nextMessage++, "", id), message };
  valueOf(
    await store.commit([
      { kind: "record", record },
      { kind: "journalDrop", stepId: id },
    ]),
  );
}

async function runTools(): Promise<void> {
  stepNow = "tools";
  const tools = new ToolJournal(store, systemClock);
  const calls = ["a", "b"].map(toolCallId);
  const parts = calls.map((callId) => ({ kind: "toolCall", callId, name: "count", inputJson: "{}" }) as const);
  const start = { batchId: stepId(randomUUID()), model, asked: messageId(0) };
  valueOf(await tools.beginBatch({ ...start, assistant: { role: "assistant", parts } }));
  for (const callId of calls) {
    valueOf(await tools.recordRunStart(callId));
    const number = nextNumber++;
    valueOf(await tools.recordResult({ callId, outcome: "ok", text: `${number} ` }));
    say(`shown ${number}`);
  }
  if (tools.batch === undefined) throw new Error("the batch is open");
  const records = [tools.batch.assistant, resultsOf(tools.batch)].map(recordOf);
  const [assistant, results] = records;
  if (assistant === undefined || results === undefined) throw new Error("two records");
  valueOf(
    await tools.commitBatch(results.message, async (end, ended) => {
      const stored = await store.commit([
        ...[assistant, results].map((record) => ({ kind: "record", record }) as const),
        end,
      ]);
      if (stored.ok) ended();
      return stored;
    }),
  );
}

/** Adds a message with a secret and no numbers, and erases it for good. */
async function eraseSecret(): Promise<void> {
  const id = nextMessage;
  const message: Message = { role: "user", parts: [{ kind: "attachment", label: "key", text: "secret ".repeat(900) }] };
  const record = recordOf(message);
  valueOf(await store.commit([{ kind: "record", record }]));
  stepNow = "erase";
  const erased = { entry: record.entry, message: erasurePlaceholder(message), tokens: record.entry.tokens };
  valueOf(await store.erase(makeErasure([erased], { atMs: Date.now() })));
  say(`erased ${id}`);
}

/** Adds recoverable answers to the history. Returns all numbers in it. */
async function settle(from: ConversationStore): Promise<readonly number[]> {
  const messages = await readAll(from);
  for (const { stepId: id, message } of recoverAnswers(from.shape.journal)) {
    const record = { ...messageRecord(messages.length, "", id), message };
    valueOf(
      await from.commit([
        { kind: "record", record },
        { kind: "journalDrop", stepId: id },
      ]),
    );
    messages.push(message);
  }
  for (const batch of recoverToolBatches(from.shape.journal)) {
    const pair = [batch.assistant, resultsOf(batch)];
    const writes = pair.map((message, index) => {
      return { kind: "record", record: { ...messageRecord(messages.length + index), message } } as const;
    });
    valueOf(await from.commit([...writes, { kind: "journalDrop", stepId: batch.batchId }]));
    messages.push(...pair);
  }
  say(`orphans ${orphanCalls(messages)}`);
  const secrets = messages.flatMap(({ parts }, id) => (parts[0]?.kind === "attachment" ? [id] : []));
  say(`secrets ${secrets.join(" ")}`);
  return messages.flatMap(numbersIn);
}

function orphanCalls(messages: readonly Message[]): number {
  let orphans = 0;
  for (const [index, { parts }] of messages.entries()) {
    const answered = new Set(messages[index + 1]?.parts.map((part) => (part.kind === "toolResult" ? part.callId : "")));
    for (const part of parts) if (part.kind === "toolCall" && !answered.has(part.callId)) orphans++;
  }
  return orphans;
}

function numbersIn(message: Message): readonly number[] {
  const results = message.parts.map((part) => (part.kind === "toolResult" && part.outcome === "ok" ? part.text : ""));
  return [textOf(message), ...results]
    .join("")
    .replace(ERASED_TEXT, "")
    .split(" ")
    .filter((word) => word !== "")
    .map(Number);
}

async function readAll(from: ConversationStore): Promise<Message[]> {
  const ids = Array.from({ length: from.shape.messageCount }, (_, id) => messageId(id));
  return valueOf(await from.readMessages(ids)).map(({ message }) => message);
}

async function countMessages(from: ConversationStore): Promise<number> {
  const entries = valueOf(await from.readIndex(0, Number.MAX_SAFE_INTEGER));
  return entries.filter(({ kind }) => kind === "entry").length;
}

function recordOf(message: Message) {
  return { ...messageRecord(nextMessage++), message };
}

function valueOf<T>(result: Result<T, StorageFailed | { readonly code: string }>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
