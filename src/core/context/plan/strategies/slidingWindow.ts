/** Sends only the newest messages; older ones stay in the history, marked as not sent. */

import type { Strategy } from "./strategy.ts";

export const slidingWindow: Strategy = {
  name: "slidingWindow",
  windowMessages: (parameters) => parameters["slidingWindow.last"],
};
