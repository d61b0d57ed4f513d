/** The time of this machine. */

import type { Clock } from "../../core/clock.ts";

/** The machine's clock and Node's timers. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};
