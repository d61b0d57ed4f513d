/** Watches which task a server's slot works on, and since when. */

import { currentTask, type LlamaServer } from "./llamaServer.ts";

const INTERVAL_MS = 20;

export class SlotWatch {
  /** When each task was first seen, in milliseconds of `performance.now()`. */
  readonly #seenAtMs = new Map<number, number>();
  #newest: number | undefined;
  #hasEnded = false;

  constructor(server: Pick<LlamaServer, "url">) {
    void this.#watch(server);
  }

  /** When the newest task was first seen. */
  get newestAtMs(): number | undefined {
    return this.#newest === undefined ? undefined : this.#seenAtMs.get(this.#newest);
  }

  end(): void {
    this.#hasEnded = true;
  }

  async #watch(server: Pick<LlamaServer, "url">): Promise<void> {
    while (!this.#hasEnded) {
      const task = await currentTask(server).catch(() => undefined);
      if (task !== undefined) {
        if (!this.#seenAtMs.has(task)) this.#seenAtMs.set(task, performance.now());
        this.#newest = task;
      }
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    }
  }
}
