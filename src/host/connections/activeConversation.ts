import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";

/** The conversation that is open in this window: all requests are for it. */
export interface ActiveConversation {
  readonly session:
    | {
        readonly opened: { readonly manager: ContextManager; readonly store: Pick<ConversationStore, "commit"> };
      }
    | undefined;
}
