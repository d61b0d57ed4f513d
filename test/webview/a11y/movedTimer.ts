import type { Timer } from "../../../src/webview/a11y/liveQueue.ts";

/** A timer that the test moves. */
export class MovedTimer implements Timer {
  nowMs = 0;
  #waiting: { readonly atMs: number; readonly act: () => void }[] = [];

  after(delayMs: number, act: () => void): () => void {
    const entry = { atMs: this.nowMs + delayMs, act };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** Runs what is due until `atMs`, each at its time. */
  moveTo(atMs: number): void {
    for (;;) {
      const next = this.#waiting.filter((entry) => entry.atMs <= atMs).sort((one, two) => one.atMs - two.atMs)[0];
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((entry) => entry !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.act();
    }
    this.nowMs = atMs;
  }
}
