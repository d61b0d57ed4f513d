/** A message that a page has sent, and what became of it. */

/** A message on its way. */
export interface SentMessage {
  readonly sendId: string;
  readonly text: string;
}

/** The answer to a `send` or an `editMessage`: each gets one of these. */
export type SendAnswer =
  /**
   * The message sent as `sendId` is durable, in the history or in the queue: the composer may be emptied. `queued`: it waits
   * for its turn.
   */
  | { readonly kind: "sendTaken"; readonly sendId: string; readonly queued?: true }
  /** It was not taken, and never will be; the composer keeps it. A banner or a notice says why. */
  | { readonly kind: "sendRefused"; readonly sendId: string };

/** What became of all that a page has sent. */
export interface SentSoFar {
  /** The newest answers, of which the page may have lost some. */
  readonly answered?: readonly SendAnswer[];
  /** What has no answer yet, of which a new page knows nothing. */
  readonly sending?: SentMessage;
}

/** What stays of a draft when the message that said `sent` is taken: what was typed behind it, or in its place. */
export function restOfDraft(draft: string, sent: string): string {
  return draft.startsWith(sent) ? draft.slice(sent.length).trimStart() : draft;
}
