/**
 * Notices silence. Time counts only while somebody waits for the stream: a reader that is busy (with a slow disk, say)
 * is not the server's fault.
 */

import type { Clock } from "../clock.ts";

/** How long a stream may be silent, in milliseconds. */
export interface SilenceLimits {
  /** After so long without content the silence is named; the request goes on. */
  readonly namedAfterMs: number;
  /** After so long without a single byte the connection is taken for dead. */
  readonly noBytesMs: number;
  /** After so long without content, although bytes arrive, the request is given up. */
  readonly noContentMs: number;
}

/** Which limit was reached. `named` comes at most once in a silence. */
export type SilenceAlarm = "named" | "noBytes" | "noContent";

/** The three timers of one request. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #delays: ReadonlyMap<SilenceAlarm, number>;
  /** A timer that rang stays, as `undefined`, until what it waits for is heard. */
  readonly #timers = new Map<SilenceAlarm, (() => void) | undefined>();
  #listener: ((alarm: SilenceAlarm) => void) | undefined;

  constructor(clock: Clock, limits: SilenceLimits) {
    this.#clock = clock;
    this.#delays = new Map<SilenceAlarm, number>([
      ["named", limits.namedAfterMs],
      ["noBytes", limits.noBytesMs],
      ["noContent", limits.noContentMs],
    ]);
  }

  /** Tells `listener` of the next alarm; the returned function stops that. One listener at a time. */
  listen(listener: (alarm: SilenceAlarm) => void): () => void {
    this.#listener = listener;
    for (const [alarm, delayMs] of this.#delays) {
      if (!this.#timers.has(alarm)) this.#start(alarm, delayMs);
    }
    return () => {
      this.#listener = undefined;
    };
  }

  /** Something arrived, and with `content` something to show: the timers that waited for it begin anew. */
  heard(content: boolean): void {
    this.#drop("noBytes");
    if (!content) return;
    this.#drop("noContent");
    this.#drop("named");
  }

  /** Ends every timer. */
  stop(): void {
    for (const alarm of this.#delays.keys()) this.#drop(alarm);
  }

  #start(alarm: SilenceAlarm, delayMs: number): void {
    const cancel = this.#clock.after(delayMs, () => {
      if (this.#listener === undefined) {
        this.#timers.delete(alarm);
        return;
      }
      this.#timers.set(alarm, undefined);
      this.#listener(alarm);
    });
    this.#timers.set(alarm, cancel);
  }

  #drop(alarm: SilenceAlarm): void {
    this.#timers.get(alarm)?.();
    this.#timers.delete(alarm);
  }
}
