/** Detects a silent stream. Time counts only while a reader waits: a slow disk is not the server's fault. */

import type { Clock } from "../clock.ts";

export interface SilenceLimits {
  /** Without content: the silence is reported, and the request goes on. */
  readonly reportedAfterMs: number;
  /** Before the first byte of the answer, which a slow machine sends once it has read the whole conversation. */
  readonly firstByteMs: number;
  /** Without a single byte, after the first: the connection is considered dead. */
  readonly noBytesMs: number;
  /** Without content although bytes arrive: the request is given up. */
  readonly noContentMs: number;
}

/** `named` is raised at most once in a silence. */
export type SilenceAlarm = "named" | "firstByte" | "noBytes" | "noContent";

/** The timers of one request. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #delays: ReadonlyMap<SilenceAlarm, number>;
  /** A timer that fired stays, as `undefined`, until the event that it waits for arrives. */
  readonly #timers = new Map<SilenceAlarm, (() => void) | undefined>();
  #hasBegun = false;
  #listener: ((alarm: SilenceAlarm) => void) | undefined;

  constructor(clock: Clock, limits: SilenceLimits) {
    this.#clock = clock;
    this.#delays = new Map<SilenceAlarm, number>([
      ["named", limits.reportedAfterMs],
      ["firstByte", limits.firstByteMs],
      ["noBytes", limits.noBytesMs],
      ["noContent", limits.noContentMs],
    ]);
  }

  /** Calls `listener` on an alarm until the returned function is called. One listener at a time. */
  listen(listener: (alarm: SilenceAlarm) => void): () => void {
    this.#listener = listener;
    for (const [alarm, delayMs] of this.#delays) {
      const isMeant = alarm === "named" || (alarm === "firstByte") !== this.#hasBegun;
      if (isMeant && !this.#timers.has(alarm)) this.#start(alarm, delayMs);
    }
    return () => {
      this.#listener = undefined;
    };
  }

  /** Restarts the timers: bytes arrived, and with `content` a part of the answer. */
  noteActivity(content: boolean): void {
    this.#hasBegun = true;
    this.#drop("firstByte");
    this.#drop("noBytes");
    if (!content) return;
    this.#drop("noContent");
    this.#drop("named");
  }

  /** The server is reading the request, and has not begun to answer: the time for its first byte begins anew. */
  noteReading(): void {
    this.#hasBegun = false;
    this.stop();
  }

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
