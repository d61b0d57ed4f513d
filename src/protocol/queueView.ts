/** What the view knows of messages that wait to be sent. Plain data, made for showing. */

/** The messages that were typed while the conversation was busy, in the order in which they are sent. */
export interface QueueView {
  readonly items: readonly QueuedView[];
  /** They are not sent by themselves: the last turn did not end well, or the window was opened since. */
  readonly isHeld: boolean;
}

/** A message that waits. */
export interface QueuedView {
  readonly queueId: string;
  readonly text: string;
}
