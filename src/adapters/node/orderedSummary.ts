/**
 * That the user has ordered a summary of a conversation, in a file beside it: it outlives a crash, so that the next window
 * can say what became of the order. A convenience: where it cannot be written or read, nothing is said.
 */

import { join } from "node:path";
import { codeOf, nodeFiles, type Files } from "./files.ts";

const NOTE_FILE = "ordered-summary";

/** Notes that a summary of the conversation in `folder`, which is held, was ordered and is not there yet. */
export async function noteOrder(folder: string, files: Files = nodeFiles): Promise<void> {
  await succeeds(() => files.writeNew(join(folder, NOTE_FILE), ""));
}

/** Removes the note from `folder`, which is held; answers whether there was one. */
export function takeOrder(folder: string, files: Files = nodeFiles): Promise<boolean> {
  return succeeds(() => files.unlink(join(folder, NOTE_FILE)));
}

async function succeeds(call: () => Promise<void>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}
