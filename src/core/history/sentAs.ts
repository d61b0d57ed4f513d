/** The form in which a message of the history goes into the next request. */

import type { SummaryId } from "../ids.ts";

export type SentAs =
  /** The message itself. `isWhole`: as it is stored; else without what is excluded, repeated, or too long for any request. */
  | { readonly kind: "original"; readonly isWhole: boolean }
  /** The message itself, shortened so that the request fits. */
  | { readonly kind: "excerpt" }
  /** Only as part of this summary. */
  | { readonly kind: "summary"; readonly id: SummaryId }
  /** Hidden by the user, so in no request. */
  | { readonly kind: "excluded" }
  /** Left out, as the strategy sends the newest messages only. */
  | { readonly kind: "notSent" };

/** True if the model has the message exactly as it is stored. */
export function isSentWhole(sent: SentAs): boolean {
  return sent.kind === "original" && sent.isWhole;
}
