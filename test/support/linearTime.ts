/** Asserts that reading hostile text takes time linear in its length. */

import assert from "node:assert/strict";

const TIMES_LONGER = 8;
const RUNS = 3;

/**
 * Reads `unit`, repeated to `longestUnits` UTF-16 units and followed by `behind`, and a text of an eighth of that
 * length. The long text may take three times its share plus 100 ms, as other processes run on this machine.
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

/** Asserts the same for the measured times of some work and of eight times as much. */
export function assertInProportion(shortMs: number, longMs: number): void {
  assert.ok(
    longMs < TIMES_LONGER * 3 * shortMs + 100,
    `${longMs.toFixed(1)} ms after ${shortMs.toFixed(1)} ms for an eighth of it`,
  );
}

/** Least processor time of this process in {@link RUNS} runs, in milliseconds. */
function processorMsOf(work: () => void): number {
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}
