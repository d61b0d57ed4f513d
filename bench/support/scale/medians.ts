/** Milliseconds that work takes: the upper median of some runs. */

export function timedMedian(count: number, work: (at: number) => Promise<void>): Promise<number> {
  return median(count, (at) => timed(() => work(at)));
}

export async function median(count: number, measured: (at: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) times.push(await measured(at));
  return times.toSorted((one, other) => one - other)[count >> 1] ?? 0;
}

export async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
