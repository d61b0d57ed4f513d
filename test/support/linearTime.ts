/** Holds what reads hostile text to a time that grows with its length, and no faster. */

import assert from "node:assert/strict";

const TIMES_LONGER = 8;
const RUNS = 3;

/**
 * Reads `unit`, repeated to `longestUnits` UTF-16 units with `behind` at its end, and an eighth of it. The long text may take
 * three times its share for what else the machine does, and some milliseconds for nothing.
 */
export function assertLinearTime(
  read: (text: string) => void,
  {
    unit,
    behind = "",
    longestUnits,
  }: { readonly unit: string; readonly behind?: string; readonly longestUnits: number },
): void {
  const textOf = (units: number): string => unit.repeat(Math.ceil(units / unit.length)).slice(0, units) + behind;
  const [short, long] = [textOf(longestUnits / TIMES_LONGER), textOf(longestUnits)];
  read(short);
  const shortMs = processorMsOf(() => {
    read(short);
  });
  const longMs = processorMsOf(() => {
    read(long);
  });
  assertInProportion(shortMs, longMs);
}

/** The same for two times that were measured: of some work, and of eight times as much. */
export function assertInProportion(shortMs: number, longMs: number): void {
  assert.ok(
    longMs < TIMES_LONGER * 3 * shortMs + 100,
    `${longMs.toFixed(1)} ms after ${shortMs.toFixed(1)} ms for an eighth of it`,
  );
}

/** The least time of some runs that the processor spent for this process: others work on this machine, too. */
function processorMsOf(work: () => void): number {
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}
