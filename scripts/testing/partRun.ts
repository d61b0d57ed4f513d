/** What a part of a run has to do with the others. */
export interface PartRun {
  /** Does `work` when its turn comes among all work of the run. */
  readonly take: <Outcome>(work: () => Outcome | Promise<Outcome>) => Promise<Outcome>;
  /** Does `work` before all that waits, and nothing else meanwhile. */
  readonly takeAlone: <Outcome>(work: () => Outcome | Promise<Outcome>) => Promise<Outcome>;
  /** Shows a line of its report. */
  readonly print: (line: string) => void;
}
