/** What a user, a window and a disk may do to a conversation at any moment. */

import type { ApprovalAnswer } from "../../../src/protocol/toHost.ts";

/** What happens to the conversation. */
export type RacedEvent =
  | { readonly kind: "send" | "resend" | "draft" | "stop" | "switch" | "retry" | "release" | "crash" | "close" }
  /** What is decided about every call that asks; a word that holds for longer makes the next ones run by themselves. */
  | { readonly kind: "approve"; readonly answer: ApprovalAnswer }
  /** Tools are chosen for the conversation, or what was allowed is taken back. */
  | { readonly kind: "tools"; readonly what: "none" | "all" | "askAgain" }
  /** The page is hidden and comes back, in the middle of whatever happens. */
  | { readonly kind: "reload" }
  | { readonly kind: "recover"; readonly choice: "keep" | "continue" | "askAgain" | "resume" | "discard" }
  | { readonly kind: "queue"; readonly what: "edit" | "done" | "change" | "remove" }
  | { readonly kind: "wait"; readonly turns: number };
