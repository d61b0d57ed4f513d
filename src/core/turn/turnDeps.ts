import type { CancelSignal } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ForgeError } from "../errors.ts";
import type { MessageId, NewUuid } from "../ids.ts";
import type { StreamJournal } from "../journal/streamJournal.ts";
import type { ToolJournal } from "../journal/toolJournal.ts";
import type { Result } from "../result.ts";
import type { Provider } from "../stream/provider.ts";
import type { Approvals } from "../tools/approvals.ts";
import type { Tool } from "../tools/tool.ts";
import type { MessageCounter } from "../tokens/messageCounter.ts";

/** Port to the session that runs the turn. Read again in each round, since the user may change all of it in between. */
export interface TurnHost {
  /** Serves the context's current model. */
  readonly provider: Provider;
  /** What the context's requests offer. */
  readonly tools: readonly Tool[];
  /** Tool rounds, 1 or more, after which the user is asked whether to continue. */
  readonly maxRounds: number;
  /** While true, an abort is not the user's: they decide about the answer later. */
  readonly isClosing: boolean;
  /** Called when a bill shows that the model's server drops the tools of requests. */
  noteIgnoredTools(): void;
  /** Called before each request: applies pending summaries and makes room; an error means that it cannot be sent. */
  beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>>;
}

export interface TurnDeps {
  readonly conversation: Conversation;
  readonly journal: StreamJournal;
  readonly toolJournal: ToolJournal;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  readonly messageCounter: MessageCounter;
  readonly host: TurnHost;
  readonly approvals: Approvals;
}

/** Both messages are in the history already. */
export interface TurnRequest {
  /** The newest message of the history, or the one that the answer belongs to. */
  readonly asked: MessageId;
  /** The answer to go on with: the last one that is sent. Absent: a new one. */
  readonly continues?: MessageId;
}
