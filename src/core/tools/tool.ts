/** What a model may call: the seam between the turn, which runs calls, and the host, which knows the editor. */

import type { ToolDefinition } from "../context/request/requestOverhead.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Result } from "../result.ts";

/**
 * What a call may do. `reads`: looks at the workspace or the conversation. `writes`: changes files, by way of the user.
 * `runs`: executes something. What writes or runs is never allowed by itself in a workspace that is not trusted.
 */
export type ToolEffect = "reads" | "writes" | "runs";

/** One call as the user is asked about it. */
export interface ToolCallView {
  /** One line: "Read src/app.ts, lines 1–80". */
  readonly title: string;
  /** What exactly would happen, as plain text: the command, the diff. Empty when the title says it all. */
  readonly detail: string;
  /** What `detail` is: a diff, whose lines begin with `+`, `-`, `@@` or a space, or sentences; else what would be run. */
  readonly look?: "diff" | "words";
  /** The call weighs more than others of its tool: the user is asked about this one, whatever they allowed before. */
  readonly mustAsk?: boolean;
}

/** How a call ended. `text` is whole: what is sent of it is bounded later. */
export interface ToolOutcome {
  readonly outcome: "ok" | "error";
  readonly text: string;
}

/** A tool of this conversation. Implementations never throw: a failure is an outcome of kind `error`, in words for the model. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly effect: ToolEffect;
  /** Reads the model's input without doing anything; an error says, for the model, what is wrong with it. */
  describe(inputJson: string): Promise<Result<ToolCallView, string>>;
  /**
   * Shows what a call would do while the user is asked about it, as a diff in the editor does, until `cancel`. Resolves to
   * the user's word if it was given there, else to nothing.
   */
  readonly preview?: (inputJson: string, cancel: CancelSignal) => Promise<"allowed" | "denied" | undefined>;
  /** Does it. Called once for a call, after `describe` accepted the same input and the user agreed. Stops on `cancel`. */
  run(inputJson: string, cancel: CancelSignal): Promise<ToolOutcome>;
}
