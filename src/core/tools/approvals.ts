/**
 * Who says whether a call may run. A tool that only reads runs by itself in a workspace that the user trusts; everything
 * else is asked for, until the user says otherwise. What they said lies where neither the model nor the workspace can
 * write.
 */

import type { StepId } from "../ids.ts";
import type { ToolCallPart } from "../message.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Tool, ToolCallView, ToolEffect } from "./tool.ts";

/** A call that the user is asked about. */
export interface ApprovalQuestion {
  /** The answer that holds the call. */
  readonly stepId: StepId;
  readonly call: ToolCallPart;
  readonly tool: Tool;
  readonly view: ToolCallView;
}

/** Rules and questions, of one conversation. */
export interface Approvals {
  /** Whether a call of `tool` needs no question now. */
  isAutomatic(tool: Tool): boolean;
  /** Asks the user, and remembers the answer if they wish. When `cancel` aborts, nobody waits for the answer any more. */
  ask(question: ApprovalQuestion, cancel: CancelSignal): Promise<"allowed" | "denied">;
}

/** How long an answer holds: for the one call, for this conversation, or until the user takes it back. */
export type ApprovalScope = "once" | "conversation" | "always";

/** What decides about a tool, besides itself. */
export interface ApprovalSituation {
  readonly effect: ToolEffect;
  /** The user trusts the folder that is open. */
  readonly isTrusted: boolean;
  /** It reads nothing but this conversation, which the model was told anyway. */
  readonly staysInConversation: boolean;
  /** The longest scope that the user has allowed it for; absent: none. */
  readonly remembered?: Exclude<ApprovalScope, "once">;
}

/** Whether a call runs without a question. */
export function isAutomatic({ effect, isTrusted, staysInConversation, remembered }: ApprovalSituation): boolean {
  if (staysInConversation) return true;
  if (effect === "reads") return isTrusted || remembered === "conversation";
  return isTrusted && remembered !== undefined;
}

/** The scopes that an answer may have. Nothing that writes or runs is ever automatic where the workspace is not trusted. */
export function possibleScopes({ effect, isTrusted }: ApprovalSituation): readonly ApprovalScope[] {
  if (isTrusted) return ["once", "conversation", "always"];
  return effect === "reads" ? ["once", "conversation"] : ["once"];
}
