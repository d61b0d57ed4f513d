/** Sends everything as it is. What does not fit is for the user to decide. */

import type { Strategy } from "./strategy.ts";

/** Spec §6, `fullHistory`. */
export const fullHistory: Strategy = { name: "fullHistory", plan: () => undefined };
