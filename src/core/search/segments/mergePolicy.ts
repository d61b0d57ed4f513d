/** Chooses segments to merge: eight of about a size, so that each message is written anew only a few times. */

const MERGED_AT_ONCE = 8;
const SMALLEST_LEVEL = 512;
/** Messages of the largest segment: it is merged in memory. */
const MOST_MESSAGES = 65_536;

/** Positions of the segments to merge next, of segments with these numbers of messages; none if none is due. */
export function dueForMerge(messageCounts: readonly number[]): readonly number[] {
  const levels = new Map<number, number[]>();
  for (const [at, count] of messageCounts.entries()) {
    if (count >= MOST_MESSAGES / 2) continue;
    const level = Math.ceil(Math.log2(Math.max(1, count / SMALLEST_LEVEL)) / Math.log2(MERGED_AT_ONCE));
    const some = levels.get(level) ?? [];
    some.push(at);
    levels.set(level, some);
  }
  for (const [, some] of [...levels].sort(([one], [other]) => one - other)) {
    const due = some.slice(0, MERGED_AT_ONCE);
    if (due.length === MERGED_AT_ONCE) return fitting(due, messageCounts);
  }
  return [];
}

/** The first of them whose messages together are not too many. */
function fitting(due: readonly number[], messageCounts: readonly number[]): readonly number[] {
  let sum = 0;
  const fitted = due.filter((at) => (sum += messageCounts[at] ?? 0) <= MOST_MESSAGES);
  return fitted.length > 1 ? fitted : [];
}
