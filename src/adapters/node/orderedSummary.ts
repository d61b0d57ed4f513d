/**
 * A marker file for a summary that the user requested. It survives a crash, so that the next window can report the
 * outcome. Best effort: file errors are ignored.
 */

import { join } from "node:path";
import { systemErrorCode, nodeFiles, type Files } from "./files.ts";

const NOTE_FILE = "ordered-summary";

/** `receipts`: the conversation's receipt count at the time of the request. The lease must be held. */
export async function recordSummaryOrder(folder: string, receipts: number, files: Files = nodeFiles): Promise<void> {
  await unlessFailing(() => files.writeNew(join(folder, NOTE_FILE), String(receipts)));
}

/** Removes the marker and returns its receipt count; `undefined` if there is none. The lease must be held. */
export async function takeSummaryOrder(folder: string, files: Files = nodeFiles): Promise<number | undefined> {
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
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
