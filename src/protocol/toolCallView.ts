/** View data of tool calls. */

export interface ToolCallCard {
  /** Unique in its answer. */
  readonly callId: string;
  readonly name: string;
  /** "Read src/app.ts, lines 1–80"; the name until more is known. */
  readonly title: string;
  readonly state: ToolCallState;
  /** "8 ms"; empty while there is nothing to say. */
  readonly time: string;
  /** Only while `asking`. */
  readonly question: ApprovalView | null;
  /** Other conversations that the result quotes; absent: none. */
  readonly sources?: readonly CallSource[];
  /** Problems that an edit added; absent: none. */
  readonly problems?: CallProblems;
}

export interface CallProblems {
  /** Worst first. */
  readonly listed: readonly CallProblem[];
  /** Number of those that are not listed. */
  readonly more: number;
}

/** A problem of the editor, where it was when the call ran. */
export interface CallProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly path: string;
  /** Counted from 1, as is the column; 0 in a notebook, which is opened as a whole. */
  readonly line: number;
  readonly column: number;
  /** "src/a.ts:3:5" */
  readonly place: string;
}

/** Another conversation, as it was when the call ran. */
export interface CallSource {
  readonly conversationId: string;
  readonly title: string;
  /** "12 November 2026"; may be empty. */
  readonly date: string;
  /** Number of passages. */
  readonly count: number;
  /** The first of them. */
  readonly messageId: number;
}

/** `found`: models may recall it from other conversations. `gone`: it is in the trash or was deleted. */
export type CallSourceState = "found" | "leftOut" | "gone";

export type SourceStates = readonly { readonly conversationId: string; readonly state: CallSourceState }[];

/**
 * `writing`: still streamed. `asking`: pending approval. `unknown`: cut off, effect unknown. `notRun`: never started.
 */
export type ToolCallState =
  "writing" | "waiting" | "asking" | "running" | "done" | "failed" | "denied" | "interrupted" | "notRun" | "unknown";

/** How long an approval holds: for the one call, for this conversation, or until it is revoked. */
export type ApprovalScope = "once" | "conversation" | "always";

export interface ApprovalView {
  /** Where it would happen; empty where only one folder is open, or the call is about none. */
  readonly folder: string;
  /** A sentence on the consequences. */
  readonly note?: string;
  /** What would happen: the command, the diff. Plain text, complete; may be empty. */
  readonly detail: string;
  /** Format of `detail`; the lines of a diff begin with `+`, `-`, `@@` or a space. */
  readonly look: "code" | "diff" | "words";
  /** The answers besides `deny`. */
  readonly scopes: readonly ApprovalScope[];
  /** `never` is an answer, too: it refuses this for good in this conversation. */
  readonly canRefuse?: true;
}

/** Loaded when the line of the call is opened. */
export interface ToolCallDetail {
  /** As the model wrote it; may be truncated. */
  readonly input: string;
  /** May be truncated; empty while there is none. */
  readonly result: string;
  /** Input or result is truncated. */
  readonly isCut: boolean;
}
