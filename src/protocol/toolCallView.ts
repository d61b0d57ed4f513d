/** What the view knows of the calls of tools. Plain data, made for showing. */

/** A call, as a line of the answer that asked for it. */
export interface ToolCallCard {
  /** Unique in its answer. */
  readonly callId: string;
  /** The tool's own name. */
  readonly name: string;
  /** "Read src/app.ts, lines 1–80"; the name until more is known. */
  readonly title: string;
  readonly state: ToolCallState;
  /** "8 ms"; empty while there is nothing to say. */
  readonly time: string;
  /** What the user is asked; only while `asking`. */
  readonly question: ApprovalView | null;
}

/**
 * `writing`: the model has not finished it. `waiting`: not started. `asking`: waits for the user's word. `unknown`: it was
 * cut short, and nobody knows what it did. `interrupted`: it was stopped while it ran. `notRun`: it was never begun.
 */
export type ToolCallState =
  "writing" | "waiting" | "asking" | "running" | "done" | "failed" | "denied" | "interrupted" | "notRun" | "unknown";

/** How long the user's word holds: for the one call, for this conversation, or until it is taken back. */
export type ApprovalScope = "once" | "conversation" | "always";

/** What the user is asked about a call. */
export interface ApprovalView {
  /** What exactly would happen: the command, the diff. Plain text, whole; may be empty. */
  readonly detail: string;
  /** What `detail` is; the lines of a diff begin with `+`, `-`, `@@` or a space. */
  readonly look: "code" | "diff" | "words";
  /** What may be answered besides no. */
  readonly scopes: readonly ApprovalScope[];
}

/** What a call was given and what came of it; loaded when its line is opened. */
export interface ToolCallDetail {
  /** The input as the model wrote it, or the beginning of it. */
  readonly input: string;
  /** The result, or the beginning of it; empty while there is none. */
  readonly result: string;
  /** More of it is in the history than is here. */
  readonly isCut: boolean;
}
