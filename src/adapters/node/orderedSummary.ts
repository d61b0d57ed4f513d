/**
 * That the user has ordered a summary of a conversation, in a file beside it: it outlives a crash, so that the next window
 * can say what became of the order. A convenience: where it cannot be written or read, nothing is said.
 */

import { join } from "node:path";
import { codeOf, nodeFiles, type Files } from "./files.ts";

const NOTE_FILE = "ordered-summary";

/** Notes that a summary of the conversation in `folder`, which is held, was ordered when it had so many `receipts`. */
export async function noteOrder(folder: string, receipts: number, files: Files = nodeFiles): Promise<void> {
  await unlessFailing(() => files.writeNew(join(folder, NOTE_FILE), String(receipts)));
}

/** Removes the note from `folder`, which is held, and answers its count of receipts; `undefined` where there is none. */
export async function takeOrder(folder: string, files: Files = nodeFiles): Promise<number | undefined> {
  const note = join(folder, NOTE_FILE);
  const text = await unlessFailing(() => files.readText(note));
  if (text === undefined) return undefined;
  await unlessFailing(() => files.unlink(note));
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

async function unlessFailing<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
