/** What a turn tells its listener, in order. Exactly one of `completed`, `cancelled` and `failed` comes, and comes last. */

import type { ForgeError } from "../errors.ts";
import type { MessageRecord } from "../history/records.ts";
import type { ModelId, StepId } from "../ids.ts";
import type { ProviderUsage, StopReason } from "../stream/streamEvent.ts";

/** A step of a turn's life. Text comes only after it is durable. */
export type TurnEvent =
  | { readonly kind: "stepStarted"; readonly stepId: StepId; readonly model: ModelId; readonly startedAtMs: number }
  | { readonly kind: "delta"; readonly stepId: StepId; readonly part: "text" | "thinking"; readonly text: string }
  /** Nothing has come for `ms`, or the request is sent again in `ms`; nothing is lost, and Stop works. */
  | { readonly kind: "waiting"; readonly stepId: StepId; readonly why: "silent" | "retry"; readonly ms: number }
  | { readonly kind: "usage"; readonly usage: ProviderUsage }
  | TurnEnd;

/** How a turn ended. */
export type TurnEnd =
  | {
      readonly kind: "completed";
      readonly stepId: StepId;
      readonly record: MessageRecord;
      readonly stopReason: StopReason;
    }
  /** `record` is what was received until then, if anything was. */
  | { readonly kind: "cancelled"; readonly stepId?: StepId; readonly record?: MessageRecord }
  /** `undecided`: a part of the answer is in the journal, and the user says what becomes of it. */
  | { readonly kind: "failed"; readonly stepId?: StepId; readonly error: ForgeError; readonly undecided: boolean };
