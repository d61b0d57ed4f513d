/**
 * The numbered message channel to a page. Text deltas are batched, one post per frame; other messages are posted at
 * once, after the pending text, so that their order is preserved.
 */

import type { Clock } from "../../core/clock.ts";
import type { ToView, ToViewBody } from "../../protocol/toView.ts";

/** One frame at 60 Hz. */
const FRAME_MS = 16;

type Delta = Extract<ToViewBody, { kind: "delta" }>;

/** Posts with increasing `seq`. A page that missed messages asks for a snapshot. */
export class ViewChannel {
  readonly #post: (message: ToView) => void;
  readonly #clock: Clock;
  #seq = 0;
  #waiting: Delta[] = [];
  #cancelFlush: (() => void) | undefined;

  constructor(post: (message: ToView) => void, clock: Clock) {
    this.#post = post;
    this.#clock = clock;
  }

  send(body: ToViewBody): void {
    if (body.kind === "delta") {
      this.#batchDelta(body);
      return;
    }
    this.flush();
    this.#number(body);
  }

  /** Posts the pending text. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const deltas = this.#waiting;
    this.#waiting = [];
    for (const delta of deltas) this.#number(delta);
  }

  /** Drops the pending text: the snapshot that follows contains it. */
  dropPending(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#waiting = [];
  }

  #batchDelta(delta: Delta): void {
    const last = this.#waiting.at(-1);
    if (last?.rowId === delta.rowId && last.part === delta.part) {
      this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + delta.text };
    } else {
      this.#waiting.push(delta);
    }
    this.#cancelFlush ??= this.#clock.after(FRAME_MS, () => {
      this.flush();
    });
  }

  #number(body: ToViewBody): void {
    this.#seq += 1;
    this.#post({ seq: this.#seq, ...body });
  }
}
