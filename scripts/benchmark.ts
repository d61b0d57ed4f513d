/** Interface of benchmarks: files `bench/NAME.ts` that export `run`. */

export interface BenchOptions {
  /** True: a run of up to ten minutes. False: of up to one minute. */
  readonly full: boolean;
  /** Number of repetitions, in benchmarks that have any; their own default if absent. */
  readonly rounds?: number;
  /** On data that others made instead of scripted data, in benchmarks that have both. */
  readonly real?: true;
  /** With as much data as the largest users have, in benchmarks that have such a part. */
  readonly scale?: true;
  /** Folder of what a benchmark reads, where it reads data of others. */
  readonly data?: string;
  /** Address of an object store, in benchmarks that can use one. */
  readonly s3?: string;
}

/** Results of a benchmark. Names of figures are fixed, since runs are compared by them. */
export interface BenchReport {
  readonly figures: Readonly<Record<string, number | boolean>>;
  /** Figures of what Forge is compared with. */
  readonly peers?: Readonly<Record<string, number>>;
}

/** The function that a benchmark exports. It may print lines while it runs. */
export type RunBench = (options: BenchOptions) => Promise<BenchReport>;

/** The median; of an even count, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}
