/** What a turn works with: all of it belongs to one open conversation. */

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

/** The port to whoever has a turn run. Read anew for each round, since the user may change all of it in between. */
export interface TurnHost {
  /** Who answers with the context's model now. */
  readonly provider: Provider;
  /** What may be called now: what the context's requests offer. */
  readonly tools: readonly Tool[];
  /** After so many rounds of tools the user is asked whether to go on; 1 or more. */
  readonly maxRounds: number;
  /** The conversation is being closed: what is cancelled now was not stopped by the user, who decides about it later. */
  readonly isClosing: boolean;
  /** Called before each request: applies what is due, and makes room where it does not fit; an error when it cannot go. */
  beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>>;
}

/** The collaborators of one turn. */
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

/** Which message is to be answered. It is in the history already. */
export interface TurnRequest {
  readonly asked: MessageId;
}
