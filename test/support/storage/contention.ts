/** Processes that want the same conversation at the same time, and are killed: what became of it afterwards. */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import { runAndKill } from "./killedChild.ts";
import { LocalStores } from "./localStore.ts";
import { judge } from "./nativeJudge.ts";
import { temporaryFolder } from "./storeBuilders.ts";

/** How many, how much each does, and how often each is killed before it has. */
export interface ContentionSize {
  readonly processes: number;
  readonly operations: number;
  readonly killsOfEach: number;
}

/** What came of it. */
export interface Contention {
  /** Messages that were acknowledged. */
  readonly operations: number;
  readonly kills: number;
  /** Acknowledged, and not there. */
  readonly lost: number;
  /** There twice. */
  readonly doubled: number;
  /** Moments at which two processes held the conversation. */
  readonly twoOwners: number;
  readonly integrityErrors: number;
}

interface Finished {
  readonly stored: readonly string[];
  readonly kills: number;
}

/** Has every process add its messages, one life after another, until all are acknowledged. */
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

/** Counts processes that began while another one, which wrote again later and so was not dead, had not ended. */
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
