/** Services that a part of a run gets. */
export interface PartRun {
  /** Runs `work` in turn with all work of the run. */
  readonly take: <Outcome>(work: () => Outcome | Promise<Outcome>) => Promise<Outcome>;
  /** Runs `work` before everything that waits, and alone. */
  readonly takeAlone: <Outcome>(work: () => Outcome | Promise<Outcome>) => Promise<Outcome>;
  readonly print: (line: string) => void;
}
