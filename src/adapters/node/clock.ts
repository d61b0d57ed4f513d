import type { Clock } from "../../core/clock.ts";

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};
