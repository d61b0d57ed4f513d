import type { Conversation } from "../../core/conversation/conversation.ts";

/** The conversation that is open in this window; every request belongs to it. */
export interface ActiveConversation {
  readonly session: { readonly opened: { readonly conversation: Conversation } } | undefined;
}
