/**
 * Tells the other windows in which conversations a question waits for the user: one small file per conversation, written
 * by the holder of its lease. Best effort: a file that a killed window left behind counts no more than its lease.
 */

import { watch } from "node:fs";
import { join } from "node:path";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { readMeta } from "./conversationMeta.ts";
import { systemErrorCode, nodeFiles, replaceFile, undefinedIfMissing, unlinkIfThere, type Files } from "./files.ts";
import { leaseState } from "./lease.ts";
import { thisPlatform, type Platform } from "./platform.ts";

const FOLDER = "waiting";
const POLL_MS = 5_000; // network drives and some containers do not report changes; a window may be killed
/** Of a window's name. */
const LONGEST_NAME = 200;

/** Questions of a conversation that another window has open. */
export interface WaitingElsewhere {
  readonly title: string;
  /** Name of that window; empty if it has none. */
  readonly window: string;
  readonly count: number;
}

/** Zero removes the file. File errors are ignored: the window itself shows the question. */
export async function recordWaiting(
  storage: string,
  id: ConversationId,
  { count, window }: { readonly count: number; readonly window: string },
  files: Files = nodeFiles,
): Promise<void> {
  const folder = join(storage, FOLDER);
  await ignoringFileErrors(async () => {
    if (count === 0) return unlinkIfThere(files, join(folder, id));
    await files.makeFolder(folder);
    await replaceFile(files, join(folder, id), `${String(count)}\n${window.slice(0, LONGEST_NAME)}\n`);
  });
}

/** Questions that wait in other living windows. */
export async function readWaiting(
  storage: string,
  { files = nodeFiles, platform = thisPlatform() }: { readonly files?: Files; readonly platform?: Platform } = {},
): Promise<readonly WaitingElsewhere[]> {
  const found: WaitingElsewhere[] = [];
  await ignoringFileErrors(async () => {
    for (const name of ((await undefinedIfMissing(files.list(join(storage, FOLDER)))) ?? []).toSorted()) {
      const id = parseConversationId(name);
      if (id === undefined) continue;
      const conversation = join(storage, "conversations", id);
      const [count, window = ""] = ((await undefinedIfMissing(files.readText(join(storage, FOLDER, id)))) ?? "").split(
        "\n",
      );
      if (!(Number(count) > 0) || (await leaseState(conversation, files, platform)) !== "alive") continue;
      found.push({ title: (await readMeta(conversation, files))?.title ?? "", window, count: Number(count) });
    }
  });
  return found;
}

/** Calls `onChange` when something may have changed, and once at first. Returns a function that stops watching. */
export function watchWaiting(storage: string, onChange: () => void, files: Files = nodeFiles): () => void {
  let stop = (): void => undefined;
  let isStopped = false;
  const poll = setInterval(onChange, POLL_MS);
  poll.unref();
  onChange();
  void ignoringFileErrors(async () => {
    await files.makeFolder(join(storage, FOLDER));
    if (isStopped) return;
    const watcher = watch(join(storage, FOLDER), onChange);
    watcher.on("error", () => {
      watcher.close(); // polling continues
    });
    stop = () => {
      watcher.close();
    };
  });
  return () => {
    isStopped = true;
    clearInterval(poll);
    stop();
  };
}

async function ignoringFileErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}
