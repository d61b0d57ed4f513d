/**
 * One conversation of 100,000 messages with tool calls, imported, opened as the host does, and used: pages up to the
 * first message, a fork at the end, one message erased, everything summarized. The store, its thread and its files are
 * the real ones; the model is scripted.
 */

import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { systemClock } from "../src/adapters/node/clock.ts";
import { openConversationStore } from "../src/adapters/sqlite/conversationStore.ts";
import { loadTokenCounter } from "../src/adapters/tiktoken/rankFiles.ts";
import type { ForgeError } from "../src/core/errors.ts";
import { messageId, parseConversationId, type ConversationId } from "../src/core/ids.ts";
import type { Result } from "../src/core/result.ts";
import { forkConversation } from "../src/host/conversations/transfer/forkConversation.ts";
import { importFromFile } from "../src/host/conversations/transfer/importFromFile.ts";
import type { Session } from "../src/host/session/session.ts";
import { buildRanks } from "../scripts/buildRanks.mjs";
import type { BenchReport } from "../scripts/benchmark.ts";
import { ScriptedModel } from "../test/support/models/scriptedModel.ts";
import { openSession } from "../test/support/session/openSession.ts";
import { SQL_JS_FILE } from "../test/support/storage/sqliteStore.ts";
import { temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { ThreadProbes, type Held } from "./support/long/loopProbe.ts";
import { longDocument } from "./support/long/longDocument.ts";
import { PeakMemory } from "./support/long/peakMemory.ts";

const MESSAGES = 100_000;
/** Between two commits while a message is erased, as when an answer streams. */
const COMMIT_PAUSE_MS = 5;
const NOTES = "## Goal\nRead the parser.\n\n## Decisions\nNone.\n\n## Open\nNothing.";

export async function run(): Promise<BenchReport> {
  const root = temporaryFolder();
  const folders = { storage: join(root.path, "storage"), dist: join(root.path, "dist") };
  await buildDist(folders.dist);
  const document = join(root.path, "long.json");
  await writeFile(document, longDocument(MESSAGES));

  const probes = new ThreadProbes();
  const memory = new PeakMemory();
  let hostBlockMaxMs = 0;
  const measured = async (what: string, work: () => Promise<void>): Promise<Held & { readonly ms: number }> => {
    const began = performance.now();
    const held = await probes.during(work);
    const ms = performance.now() - began;
    hostBlockMaxMs = Math.max(hostBlockMaxMs, held.hostMs);
    console.log(
      `${what}: ${ms.toFixed(0)} ms; longest hold: host ${held.hostMs.toFixed(0)} ms, worker ${held.workerMs.toFixed(0)} ms`,
    );
    return { ...held, ms };
  };

  const id = newId();
  const importing = async (): Promise<void> => {
    await measured("import", async () => {
      valueOf(await importFromFile({ file: document, id, ...importPlaces(folders) }));
    });
  };
  const { peakMb: importPeakMb } = await memory.growthDuring(importing);

  const opened: Session[] = [];
  await measured("open", async () => {
    opened.push(await open(join(folders.storage, "conversations", id), folders.dist));
  });
  const [session] = opened;
  if (session === undefined) throw new Error("no session");

  const pages: number[] = [];
  await measured("pages up to the first message", async () => {
    pages.push(...(await goUp(session)));
  });
  const fork = await measured("fork at the end", async () => {
    valueOf(await forkConversation(session, MESSAGES - 1, folders));
  });

  let eraseCommitMaxMs = 0;
  const erasing = await measured("erase one message", async () => {
    const erased = session.erasing.erase(messageId(MESSAGES / 2 + 3));
    eraseCommitMaxMs = await slowestCommit(session, erased);
    valueOf(await erased);
  });

  const compactions: Held[] = [];
  const { peakMb: compactPeakMb } = await memory.growthDuring(async () => {
    compactions.push(
      await measured("summarize all", async () => {
        valueOf(await session.summaries.summarizeNow());
      }),
    );
  });
  await session.opened.store.close();
  const fileMb = statSync(join(folders.storage, "conversations", id, "conversation.sqlite")).size / 1e6;
  probes.close();
  await memory.end();
  root.remove();
  return {
    figures: {
      eraseBlockMs: round(erasing.workerMs),
      compactBlockMs: round(Math.max(...compactions.map(({ hostMs, workerMs }) => Math.max(hostMs, workerMs)))),
      compactPeakMb: round(compactPeakMb),
      importPeakMb: round(importPeakMb),
      olderPagesExponent: exponent(pages),
      forkMs: round(fork.ms),
      hostBlockMaxMs: round(hostBlockMaxMs),
      eraseCommitMaxMs: round(eraseCommitMaxMs),
      olderPagesMs: round(pages.reduce((sum, ms) => sum + ms, 0)),
      fileMb: round(fileMb),
    },
  };
}

/** Builds the parts of the shipped folder that are needed: the worker (with a probe), the library, the ranks. */
async function buildDist(dist: string): Promise<void> {
  mkdirSync(dist, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL("support/long/timedWorker.ts", import.meta.url))],
    outfile: join(dist, "storageWorker.cjs"),
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
  });
  for (const name of ["sql-wasm-debug.js", "sql-wasm-debug.wasm"])
    copyFileSync(join(dirname(SQL_JS_FILE), name), join(dist, name));
  await buildRanks(join(dist, "ranks"));
}

function importPlaces({ storage, dist }: { readonly storage: string; readonly dist: string }) {
  return {
    root: join(storage, "conversations"),
    workerFile: join(dist, "storageWorker.cjs"),
    sqlJsFile: join(dist, "sql-wasm-debug.js"),
    ranksFolder: join(dist, "ranks"),
    cancel: new AbortController().signal,
  };
}

async function open(folder: string, dist: string): Promise<Session> {
  const store = valueOf(
    await openConversationStore({
      folder,
      workerFile: join(dist, "storageWorker.cjs"),
      sqlJsFile: join(dist, "sql-wasm-debug.js"),
    }),
  );
  const { session } = await openSession(new ScriptedModel(() => ({ text: NOTES })), undefined, () => undefined, {
    counter: valueOf(await loadTokenCounter(join(dist, "ranks"))),
    stored: store,
    folder,
    clock: systemClock,
  });
  return session;
}

/** Milliseconds of each page, from the newest up to the first message. */
async function goUp(session: Session): Promise<number[]> {
  const times: number[] = [];
  let { rows, hasOlder } = session.transcript.page;
  while (hasOlder) {
    const began = performance.now();
    const page = valueOf(await session.transcript.older(rows[0]?.rowId ?? ""));
    times.push(performance.now() - began);
    ({ rows, hasOlder } = page);
  }
  return times;
}

/** Growth of the time for all pages over that for the first tenth: 1 if each page takes as long as any other. */
function exponent(times: readonly number[]): number {
  const sum = (count: number): number => times.slice(0, count).reduce((total, ms) => total + ms, 0);
  const tenth = Math.floor(times.length / 10);
  return Math.round(100 * (Math.log(sum(times.length) / sum(tenth)) / Math.log(times.length / tenth))) / 100;
}

/** The longest wait of a commit until `work` ends. */
async function slowestCommit(session: Session, work: Promise<unknown>): Promise<number> {
  const { store } = session.opened.conversation;
  const state = { isOver: false };
  void work.finally(() => (state.isOver = true));
  let slowestMs = 0;
  for (let count = 0; !state.isOver; count++) {
    const began = performance.now();
    valueOf(await store.commit([{ kind: "draft", text: `draft ${count}` }]));
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await wait(COMMIT_PAUSE_MS);
  }
  return slowestMs;
}

function newId(): ConversationId {
  const id = parseConversationId(randomUUID());
  if (id === undefined) throw new Error("a new UUID is a conversation id");
  return id;
}

function valueOf<T>(result: Result<T, ForgeError>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
