import type { ForgeError } from "../../../core/errors.ts";
import type { Message } from "../../../core/message.ts";
import type { OpenConversation } from "../../transcript/openConversation.ts";

/** The conversation, as far as its composer works with it. */
export interface ComposedConversation {
  readonly opened: OpenConversation;
  /** Nothing runs, and it is not being closed. */
  readonly isIdle: boolean;
  /** Runs a turn when nothing else runs. */
  exclusively(work: (cancel: AbortSignal) => Promise<void>): Promise<void>;
  /** Tokens of a message in the counting of the model in use. */
  tokensOf(message: Message): Promise<number>;
  showProblem(error: ForgeError): void;
}
