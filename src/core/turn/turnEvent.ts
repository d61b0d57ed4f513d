/** Events of a turn, in order. Exactly one of `completed`, `cancelled` and `failed` occurs, as the last one. */

import type { ForgeError } from "../errors.ts";
import type { MessageRecord } from "../history/records.ts";
import type { MessageId, ModelId, StepId, ToolCallId } from "../ids.ts";
import type { ToolBatch } from "../journal/toolBatch.ts";
import type { ToolResultPart } from "../message.ts";
import type { PromptReading, ProviderUsage, StopReason } from "../stream/streamEvent.ts";
import type { ToolCallView } from "../tools/tool.ts";
import type { SeenLoop } from "./answerLoops.ts";

/** Text and results are sent only after they are durable. */
export type TurnEvent =
  | {
      readonly kind: "stepStarted";
      readonly stepId: StepId;
      readonly model: ModelId;
      readonly startedAtMs: number;
      readonly continues?: MessageId;
    }
  | { readonly kind: "delta"; readonly stepId: StepId; readonly part: "text" | "thinking"; readonly text: string }
  /** `silent`: nothing received for `ms`. `retry`: the request is sent again in `ms`. */
  | {
      readonly kind: "waiting";
      readonly stepId: StepId;
      readonly why: "silent" | "retry" | "loading";
      readonly ms: number;
    }
  | ({ readonly kind: "reading"; readonly stepId: StepId } & PromptReading)
  /** The model repeats itself, or (null) goes on after it did. */
  | { readonly kind: "repeating"; readonly stepId: StepId; readonly loop: SeenLoop | null }
  | { readonly kind: "usage"; readonly usage: ProviderUsage }
  | CallEvent
  /** The answer and its results are in the history, and the model is asked again. */
  | ({ readonly kind: "roundEnded"; readonly stepId: StepId } & AppendedAnswer)
  | TurnEnd;

/** `stepId` is that of the answer. */
export type CallEvent =
  /** The model begins to write a call; its input follows. */
  | { readonly kind: "callWritten"; readonly stepId: StepId; readonly callId: ToolCallId; readonly name: string }
  /** The answer is complete; its calls are run next, one after another. */
  | { readonly kind: "batchBegun"; readonly stepId: StepId; readonly batch: ToolBatch }
  /** The call may have effects from now on. */
  | CallChange<"callStarted", { readonly view: ToolCallView }>
  | CallChange<"callEnded", { readonly result: ToolResultPart }>;

type CallChange<Kind extends string, More> = {
  readonly kind: Kind;
  readonly stepId: StepId;
  readonly callId: ToolCallId;
} & More;

export interface AppendedAnswer {
  readonly record: MessageRecord;
  readonly results?: MessageRecord;
}

export type TurnEnd =
  | ({ readonly kind: "completed"; readonly stepId: StepId; readonly stopReason: StopReason } & AppendedAnswer)
  /** The model wants to continue, and the user decides whether it may. The newest round is in the history. */
  | { readonly kind: "completed"; readonly paused: "rounds" | "repeats"; readonly rounds: number }
  /** `record` is what was received until then, if anything was. */
  | ({ readonly kind: "cancelled"; readonly stepId?: StepId } & Partial<AppendedAnswer>)
  /** `undecided`: part of the answer is in a journal, pending the user's decision. */
  | {
      readonly kind: "failed";
      readonly stepId?: StepId;
      readonly error: ForgeError;
      readonly isPendingRecovery: boolean;
    };
