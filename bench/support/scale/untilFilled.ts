/** Waits in a process of its own, whose memory is not the host's, until the index has all conversations. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CHILD = fileURLToPath(new URL("fillingChild.ts", import.meta.url));

/** Resolves when so many conversations are in the index, and no segments are to be merged. */
export async function untilFilled(storage: string, size: number): Promise<void> {
  await promisify(execFile)(process.execPath, [CHILD, storage, String(size)]);
}
