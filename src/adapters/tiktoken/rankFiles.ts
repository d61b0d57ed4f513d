/**
 * Reads the token rank files next to the bundle and builds the token counter without blocking the thread: files are
 * read asynchronously, tables are built in time slices.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, type Result } from "../../core/result.ts";
import { buildTokenCounter } from "../../core/tokens/buildTokenCounter.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";

/** Under 8 ms even with the builder's longest step added, so the host misses no frame. */
const SLICE_MS = 4;

/**
 * Loads `cl100k_base.bin` and `o200k_base.bin`. Errors: `fileGone` (missing), `noPermission` or `ioError` (unreadable),
 * `damaged` (invalid content).
 */
export async function loadTokenCounter(ranksFolder: string): Promise<Result<TokenCounter, StorageFailed>> {
  const read = (name: string): Promise<Uint8Array> => readFile(path.join(ranksFolder, name));
  let files: readonly [Uint8Array, Uint8Array];
  try {
    files = await Promise.all([read("cl100k_base.bin"), read("o200k_base.bin")]);
  } catch (error) {
    return err(readFailure(error));
  }
  return runInSlices(buildTokenCounter({ cl100k: files[0], o200k: files[1] }));
}

/** Runs a generator to completion; yields to the event loop after each time slice. */
async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const startMs = performance.now();
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() - startMs < SLICE_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function readFailure(error: unknown): StorageFailed {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = code === "ENOENT" ? "fileGone" : code === "EACCES" || code === "EPERM" ? "noPermission" : "ioError";
  return { code: "STORAGE_FAILED", reason, detail: `token rank files: ${String(error)}` };
}
