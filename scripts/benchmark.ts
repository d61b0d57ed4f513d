/** What a benchmark is given and what it answers. Each is a file `bench/NAME.ts` that exports `run`. */

/** How a benchmark is run. */
export interface BenchOptions {
  /** The long run, up to ten minutes; else it ends within one. */
  readonly full: boolean;
  /** How often something is repeated, where the benchmark has such a thing; its own choice when absent. */
  readonly rounds?: number;
}

/** What a benchmark found. The names of figures are fixed: others compare them. */
export interface BenchReport {
  readonly figures: Readonly<Record<string, number | boolean>>;
  /** The same, measured on what Forge is compared with. */
  readonly peers?: Readonly<Record<string, number>>;
}

/** The function that a benchmark's file exports. It may print lines for people while it runs. */
export type RunBench = (options: BenchOptions) => Promise<BenchReport>;

/** The middle one of some numbers; of an even count, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}
