/** Tool interface: the boundary between the turn, which runs calls, and the host, which knows the editor. */

import type { ToolDefinition } from "../context/request/requestOverhead.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { AddedProblems, ResultSource } from "../message.ts";
import type { Result } from "../result.ts";

/**
 * `reads`: the workspace or the conversation. `writes`: changes files, with the user's approval. `runs`: executes
 * something. What writes or runs is never allowed automatically in an untrusted workspace.
 */
export type ToolEffect = "reads" | "writes" | "runs";

export interface ToolCallView {
  /** One line: "Read src/app.ts, lines 1–80". */
  readonly title: string;
  /** Plain text of what exactly would happen: the command, the diff. Empty when the title says it all. */
  readonly detail: string;
  /** The folder in which it would happen, where several are open. */
  readonly folder?: string;
  /** A sentence below it: what the user should know before they agree. */
  readonly note?: string;
  /** A diff, whose lines begin with `+`, `-`, `@@` or a space, or sentences; absent: what would be run. */
  readonly look?: "diff" | "words";
  /** Riskier than other calls of its tool: the user is asked about this one, whatever they approved before. */
  readonly mustAsk?: boolean;
  /** It needs the permission that its tool names; the user may refuse that for good in a conversation. */
  readonly needsPermission?: boolean;
}

/** `text` is complete; it is truncated when a request is built. */
export interface ToolOutcome {
  readonly outcome: "ok" | "error";
  readonly text: string;
  /** Other conversations that it quotes. */
  readonly sources?: readonly ResultSource[];
  readonly problems?: AddedProblems;
}

/** Implementations never throw: a failure is an outcome of kind `error`, worded for the model. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly effect: ToolEffect;
  /** The name that approvals are stored by, where the one that models call it by is not its own. */
  readonly approvalName?: string;
  /** Name by which the permission that some of its calls need is stored. */
  readonly permission?: string;
  /** Parses the model's input without side effects; the error tells the model what is wrong with it. */
  describe(inputJson: string): Promise<Result<ToolCallView, string>>;
  /** Previews a call while the user is asked, as in a diff editor, until `cancel`; `undefined`: not decided there. */
  readonly preview?: (inputJson: string, cancel: CancelSignal) => Promise<"allowed" | "denied" | undefined>;
  /**
   * Called once per call, after `describe` accepted the same input and the user agreed. Stops on `cancel`. An outcome that
   * it tells `reached`, as of a change that is made, is the result of a call that is cancelled after that.
   */
  run(inputJson: string, cancel: CancelSignal, reached?: (outcome: ToolOutcome) => void): Promise<ToolOutcome>;
}
