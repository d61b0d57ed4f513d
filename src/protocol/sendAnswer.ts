/** What became of a message that a page has sent. */

/** The answer to a `send` or an `editMessage`: each gets one of these. */
export type SendAnswer =
  /**
   * The message sent as `sendId` is durable, in the history or in the queue: the composer may be emptied. `queued`: it waits
   * for its turn.
   */
  | { readonly kind: "sendTaken"; readonly sendId: string; readonly queued?: true }
  /** It was not taken, and never will be; the composer keeps it. A banner or a notice says why. */
  | { readonly kind: "sendRefused"; readonly sendId: string };
