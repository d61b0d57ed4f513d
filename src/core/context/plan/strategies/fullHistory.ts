/** Sends everything unchanged. If that does not fit, the user decides. */

import type { Strategy } from "./strategy.ts";

export const fullHistory: Strategy = { name: "fullHistory" };
