/** What a turn works with. */

import type { ContextManager } from "../context/contextManager.ts";
import type { ForgeError } from "../errors.ts";
import type { MessageId, NewUuid } from "../ids.ts";
import type { StreamJournal } from "../journal/streamJournal.ts";
import type { ToolJournal } from "../journal/toolJournal.ts";
import type { Message, TokenCounts } from "../message.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { ConversationStore } from "../store/conversationStore.ts";
import type { Provider } from "../stream/provider.ts";
import type { Result } from "../result.ts";
import type { Approvals } from "../tools/approvals.ts";
import type { Tool } from "../tools/tool.ts";

/** All of it belongs to one open conversation. */
export interface TurnDeps {
  readonly manager: ContextManager;
  readonly store: ConversationStore;
  readonly journal: StreamJournal;
  readonly toolJournal: ToolJournal;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  /** Who answers with the manager's model now; asked anew for each round, since the user may switch in between. */
  readonly provider: () => Provider;
  /** What may be called now: what the manager's requests offer. */
  readonly tools: () => readonly Tool[];
  readonly approvals: Approvals;
  /** After so many rounds of tools the user is asked whether to go on; 1 or more. */
  readonly maxRounds: number;
  /** Counts without holding the thread for more than a frame. */
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
  /** Called before each request: applies what is due, and makes room where it does not fit; an error when it cannot go. */
  readonly beforeRequest: (cancel: CancelSignal) => Promise<Result<void, ForgeError>>;
  /** The conversation is being closed: what is cancelled now was not stopped by the user, who decides about it later. */
  readonly isClosing: () => boolean;
}

/** Which message is to be answered. It is in the history already. */
export interface TurnRequest {
  readonly asked: MessageId;
}
