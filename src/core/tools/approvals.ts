/**
 * Rules for running a tool call without asking. A tool that only reads runs automatically in a trusted workspace;
 * anything else needs the user's approval, until a remembered one covers it. Approvals are stored where neither the
 * model nor the workspace can write.
 */

import type { StepId } from "../ids.ts";
import type { ToolCallPart } from "../message.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Tool, ToolCallView, ToolEffect } from "./tool.ts";

export interface ApprovalQuestion {
  /** The answer that contains the call. */
  readonly stepId: StepId;
  readonly call: ToolCallPart;
  readonly tool: Tool;
  readonly view: ToolCallView;
}

/** `refused`: for good in this conversation, so that asking again is of no use. */
export type Approval = "allowed" | "denied" | "refused";

export interface Approvals {
  /** Whether a call of `tool` needs no question now. */
  isAutomatic(tool: Tool, view: ToolCallView): boolean;
  /** Asks the user, and remembers the answer if they wish. Aborting `cancel` withdraws the question. */
  ask(question: ApprovalQuestion, cancel: CancelSignal): Promise<Approval>;
}

/** For this call, for this conversation, or until the user revokes it. */
export type ApprovalScope = "once" | "conversation" | "always";

export interface ApprovalContext {
  readonly effect: ToolEffect;
  /** Workspace trust. */
  readonly isTrusted: boolean;
  /** Reads nothing but this conversation, which the model has seen anyway. */
  readonly readsOnlyConversation: boolean;
  /** Longest scope that the user has approved; absent: none. */
  readonly remembered?: Exclude<ApprovalScope, "once">;
}

export function isAutomatic({ effect, isTrusted, readsOnlyConversation, remembered }: ApprovalContext): boolean {
  if (readsOnlyConversation) return true;
  if (effect === "reads") return isTrusted || remembered === "conversation";
  return isTrusted && remembered !== undefined;
}

/** For calls that need a permission of their own, whatever their tool needs. */
export function isPermitted({ isTrusted, remembered }: Pick<ApprovalContext, "isTrusted" | "remembered">): boolean {
  return remembered === "conversation" || (isTrusted && remembered === "always");
}

/** Scopes that the user may choose. Tools that write or run are never automatic in an untrusted workspace. */
export function possibleScopes({ effect, isTrusted }: ApprovalContext): readonly ApprovalScope[] {
  if (isTrusted) return ["once", "conversation", "always"];
  return effect === "reads" ? ["once", "conversation"] : ["once"];
}
