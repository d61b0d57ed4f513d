/** An open conversation, as far as it concerns its summaries. */

import type { Connection } from "../connections/connections.ts";
import type { Activity } from "../background/exclusiveRun.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** The conversation whose summaries these are, as far as it concerns them. */
export interface SummarizedConversation {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly connection: Connection;
  readonly activity: Activity;
  /** Runs `work` when nothing else runs; answers whether it could. */
  readonly alone: (
    activity: "summarizing" | "applying",
    work: (cancel: AbortSignal) => Promise<void>,
  ) => Promise<boolean>;
}
