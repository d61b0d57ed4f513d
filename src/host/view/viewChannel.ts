/**
 * The numbered line to the webview. Text arrives many times a second and is posted at most once a frame; everything else
 * goes out at once, behind the text that came before it, so that the order of what happened is the order of what is seen.
 */

import type { Clock } from "../../core/clock.ts";
import type { ToView, ToViewBody } from "../../protocol/toView.ts";

/** One frame at 60 Hz. */
const FRAME_MS = 16;

type Delta = Extract<ToViewBody, { kind: "delta" }>;

/** Posts bodies with growing `seq`. A view that is not there misses them and asks for a snapshot when it is back. */
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

  /** Sends `body`, or gathers it for the next frame when it is text. */
  send(body: ToViewBody): void {
    if (body.kind === "delta") {
      this.#gather(body);
      return;
    }
    this.flush();
    this.#number(body);
  }

  /** Sends the text that has gathered. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const deltas = this.#waiting;
    this.#waiting = [];
    for (const delta of deltas) this.#number(delta);
  }

  /** Forgets what waits to be sent: a snapshot that follows holds it. */
  dropWaiting(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#waiting = [];
  }

  #gather(delta: Delta): void {
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
