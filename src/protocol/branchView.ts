/** What the view knows of the ways on that a conversation has taken from one place. Plain data, made for showing. */

/** Which of several ways on is shown: "2 of 3". */
export interface BranchView {
  /** From 0 on. */
  readonly index: number;
  readonly count: number;
}
