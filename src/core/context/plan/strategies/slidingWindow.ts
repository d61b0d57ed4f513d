/** Sends only the newest messages. The older ones stay in the history and are shown as not sent. */

import type { Strategy } from "./strategy.ts";

/** Spec §6, `slidingWindow`. */
export const slidingWindow: Strategy = { name: "slidingWindow", plan: () => undefined, sendsLast: 20 };
