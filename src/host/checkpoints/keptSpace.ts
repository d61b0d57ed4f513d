/** The room for states of files on the disk, over all conversations. */

import { readdir } from "node:fs/promises";
import path from "node:path";
import { CHECKPOINTS, CheckpointFolder } from "../../adapters/node/checkpoints/checkpointFolder.ts";
import { fileFailure } from "../../adapters/node/files.ts";
import type { Clock } from "../../core/clock.ts";

/** Between two measurements: what is kept meanwhile is little beside the limit. */
const MEASURED_EVERY_MS = 60_000;

export class KeptSpace {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #limitBytes: () => number;
  #usedBytes = 0;
  #measuredAtMs = -Infinity;

  /** `root` is the folder of all conversations; the limit is read again each time. */
  constructor(root: string, limitBytes: () => number, clock: Clock) {
    this.#root = root;
    this.#limitBytes = limitBytes;
    this.#clock = clock;
  }

  get limitBytes(): number {
    return this.#limitBytes();
  }

  /** As last measured; the first edit of a window does not wait for that. */
  hasRoom(): boolean {
    const nowMs = this.#clock.nowMs();
    if (Math.abs(nowMs - this.#measuredAtMs) > MEASURED_EVERY_MS) {
      this.#measuredAtMs = nowMs;
      void this.measure();
    }
    return this.#usedBytes < this.limitBytes;
  }

  /** Folders that cannot be read count as empty. */
  async measure(): Promise<void> {
    let bytes = 0;
    for (const name of await readdir(this.#root).catch(emptyOnFailure)) {
      const size = await new CheckpointFolder(path.join(this.#root, name, CHECKPOINTS)).size();
      bytes += size.ok ? size.value : 0;
    }
    this.#usedBytes = bytes;
  }
}

function emptyOnFailure(error: unknown): readonly string[] {
  fileFailure(error); // throws what is a bug
  return [];
}
