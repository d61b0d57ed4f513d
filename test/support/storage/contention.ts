/** Processes that contend for one conversation and are killed, and the state of it afterwards. */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import { runAndKill } from "./killedChild.ts";
import { LocalStores } from "./localStore.ts";
import { judge } from "./nativeJudge.ts";
import { temporaryFolder } from "./storeBuilders.ts";

/** Number of processes, messages of each, and kills of each before it is done. */
export interface ContentionSize {
  readonly processes: number;
  readonly operations: number;
  readonly killsOfEach: number;
}

export interface Contention {
  /** Acknowledged messages. */
  readonly operations: number;
  readonly kills: number;
  /** Acknowledged messages that are missing. */
  readonly lost: number;
  /** Messages stored twice. */
  readonly doubled: number;
  /** Number of times that two processes held the conversation. */
  readonly twoOwners: number;
  readonly integrityErrors: number;
}

interface Finished {
  readonly stored: readonly string[];
  readonly kills: number;
}

/** Restarts every process until all of its messages are acknowledged. */
export async function contend({ processes, operations, killsOfEach }: ContentionSize): Promise<Contention> {
  const root = temporaryFolder();
  const [folder, log] = [join(root.path, "conversation"), join(root.path, "log")];
  mkdirSync(folder);
  const live = async (process: number): Promise<Finished> => {
    const stored: string[] = [];
    let kills = 0;
    for (let life = 0; stored.length < operations; life++) {
      const args = [folder, log, `${process}.${life}`, String(operations - stored.length)];
      const kill = kills < killsOfEach ? { killAfterMs: 100 + Math.random() * 900 } : {};
      const { lines, signal, exitCode } = await runAndKill({ script: "contendingChild.ts", args, ...kill });
      if (signal === "SIGKILL") kills++;
      else if (exitCode !== 0) throw new Error(`process ${process}.${life} ended with ${exitCode ?? -1}`);
      stored.push(...lines.filter((line) => line.startsWith("stored ")).map((line) => line.slice(7)));
    }
    return { stored, kills };
  };
  const finished = await Promise.all(Array.from({ length: processes }, (_, process) => live(process)));
  const stored = finished.flatMap((each) => each.stored);
  const { integrity } = judge(folder);
  const found = await textsIn(folder);
  const distinct = new Set(found);
  const twoOwners = doubleOwners(readFileSync(log, "utf8"));
  root.remove();
  return {
    operations: stored.length,
    kills: finished.reduce((sum, { kills }) => sum + kills, 0),
    lost: stored.filter((text) => !distinct.has(text)).length,
    doubled: found.length - distinct.size,
    twoOwners,
    integrityErrors: integrity === "ok" ? 0 : 1,
  };
}

async function textsIn(folder: string): Promise<readonly string[]> {
  const opened = (await LocalStores.load()).open(folder);
  if (!opened.ok) throw new Error(opened.error.detail);
  const { messageCount } = opened.value.shape;
  const messages = opened.value.readMessages(Array.from({ length: messageCount }, (_, id) => messageId(id)));
  opened.value.close();
  if (!messages.ok) throw new Error(messages.error.detail);
  return messages.value.map(({ message }) => textOf(message));
}

/** Counts processes that began while another one was still alive, as shown by its later log lines. */
function doubleOwners(log: string): number {
  const lines = log
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const lastLine = new Map(lines.map(([, name = ""], index) => [name, index]));
  let doubles = 0;
  let holder: string | undefined;
  for (const [index, [kind, name = ""]] of lines.entries()) {
    if (kind === "begin") {
      if (holder !== undefined && (lastLine.get(holder) ?? -1) > index) doubles++;
      holder = name;
    } else {
      if (holder !== name) doubles++;
      holder = undefined;
    }
  }
  return doubles;
}
