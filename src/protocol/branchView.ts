/** Which of several branches from one place is shown: "2 of 3". */
export interface BranchView {
  /** Zero-based. */
  readonly index: number;
  readonly count: number;
}
