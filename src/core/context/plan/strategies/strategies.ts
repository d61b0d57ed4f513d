/** The strategies by name. A new one is a file and a line here. */

import type { Strategy } from "./strategy.ts";
import type { StrategyName } from "../../contextSettings.ts";
import { archive } from "./archive.ts";
import { fullHistory } from "./fullHistory.ts";
import { goalBatch } from "./goalBatch.ts";
import { sandwich } from "./sandwich.ts";
import { slidingWindow } from "./slidingWindow.ts";
import { threshold } from "./threshold.ts";
import { toolCalls } from "./toolCalls.ts";
import { tree } from "./tree.ts";

export const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  toolCalls,
  threshold,
  goalBatch,
  sandwich,
  archive,
  tree,
  slidingWindow,
  fullHistory,
};
