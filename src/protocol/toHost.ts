/** Webview -> host. Every message is parsed by `parse.ts` before anything believes it. */

import type { ViewCommand } from "./toView.ts";

/** What the view says to the host. */
export type ToHost =
  /** The view is there and has nothing, or has lost count: send a snapshot. */
  | { readonly kind: "ready" }
  /** Send what the user typed. `sendId` is the view's own, so that a message is never sent twice. */
  | { readonly kind: "send"; readonly sendId: string; readonly text: string }
  | { readonly kind: "stop" }
  /** The composer holds this now; said after each pause in typing. */
  | { readonly kind: "draft"; readonly text: string }
  /** More rows above this one. */
  | { readonly kind: "loadOlder"; readonly before: string }
  /** What to do with an interrupted answer. */
  | { readonly kind: "recover"; readonly stepId: string; readonly choice: "keep" | "continue" | "askAgain" }
  | { readonly kind: "openSummary"; readonly summaryId: number }
  /** Takes a summary back, or brings it back. */
  | { readonly kind: "setSummaryState"; readonly summaryId: number; readonly state: "active" | "undone" }
  /** An http or https address that the user clicked; the host checks it again. */
  | { readonly kind: "openLink"; readonly href: string }
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "command"; readonly command: ViewCommand };
