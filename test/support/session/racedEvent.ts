import type { ApprovalAnswer } from "../../../src/protocol/toHost.ts";

/** An action of a user, a window or a disk on a conversation, at any moment. */
export type RacedEvent =
  | { readonly kind: "send" | "resend" | "draft" | "stop" | "switch" | "retry" | "release" | "crash" | "close" }
  /** Answers every pending permission question. A lasting permission lets later calls run by themselves. */
  | { readonly kind: "approve"; readonly answer: ApprovalAnswer }
  /** Chooses tools for the conversation, or revokes permissions. */
  | { readonly kind: "tools"; readonly what: "none" | "all" | "askAgain" }
  /** Hides the page and shows it again. */
  | { readonly kind: "reload" }
  | { readonly kind: "recover"; readonly choice: "keep" | "continue" | "askAgain" | "resume" | "discard" }
  | { readonly kind: "queue"; readonly what: "edit" | "done" | "change" | "remove" }
  | { readonly kind: "wait"; readonly turns: number };
