/** What a context is made with. */

import type { ModelId } from "../ids.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { ReadMessages } from "./apiMessages.ts";
import type { ContextSettings } from "./contextSettings.ts";
import type { RequestOverhead } from "./requestOverhead.ts";
import type { UsageCalibrations } from "./usageCalibrations.ts";

/** The surroundings of one conversation. */
export interface ContextManagerOptions {
  readonly registry: ModelRegistry;
  readonly settings: ContextSettings;
  readonly model: ModelId;
  readonly overhead: RequestOverhead;
  /** What other conversations have taught about the counting of models; absent: nothing. */
  readonly calibrations?: UsageCalibrations;
  /** Reads texts in the order asked; called once a request, with the messages that it sends. */
  readonly readMessages: ReadMessages;
}
