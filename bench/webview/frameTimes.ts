/** Main-thread work per frame in milliseconds: script, style, layout, painting. */
export interface FrameTimes {
  readonly count: number;
  /** In thread time, which does not include preemption by other processes. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** In wall time. */
  readonly wallP99Ms: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  /** Microseconds of wall time (`dur`) and thread time (`tdur`). */
  readonly dur?: number;
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
}

/** Trace categories required by {@link frameTimes}. */
export const traceCategories = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "disabled-by-default-devtools.timeline",
];

/**
 * Reads a trace made with {@link traceCategories}. A frame's work is all tasks since the previous frame, including its
 * own drawing. Throws if the trace has no frames.
 */
export function frameTimes(traceJson: string): FrameTimes {
  const { traceEvents } = JSON.parse(traceJson) as { readonly traceEvents: readonly TraceEvent[] };
  const begins = traceEvents.filter(({ name }) => name === "BeginMainThreadFrame");
  const main = busiest(begins);
  const isMain = ({ pid, tid }: TraceEvent): boolean => `${pid}:${tid}` === main;
  const tasks = traceEvents
    .filter((event) => event.name === "RunTask" && event.ph === "X" && isMain(event))
    .toSorted((a, b) => a.ts - b.ts);
  const frames = begins.filter(isMain).toSorted((a, b) => a.ts - b.ts);
  const own: number[] = [];
  const wall: number[] = [];
  let next = 0;
  for (const { ts } of frames) {
    let ownUs = 0;
    let wallUs = 0;
    for (let task = tasks[next]; task !== undefined && task.ts <= ts; task = tasks[++next]) {
      ownUs += task.tdur ?? 0;
      wallUs += task.dur ?? 0;
    }
    own.push(ownUs / 1000);
    wall.push(wallUs / 1000);
  }
  if (own.length < 2 || tasks.length === 0) throw new Error("the trace has no frames");
  // Work before the first frame does not belong to it.
  const [sorted, sortedWall] = [own, wall].map((list) => list.slice(1).toSorted((a, b) => a - b));
  return {
    count: own.length - 1,
    p99Ms: percentile(sorted, 0.99),
    maxMs: percentile(sorted, 1),
    wallP99Ms: percentile(sortedWall, 0.99),
  };
}

function percentile(sorted: readonly number[] = [], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The thread that drew the most frames: the page's. */
function busiest(events: readonly TraceEvent[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { pid, tid } of events) counts.set(`${pid}:${tid}`, (counts.get(`${pid}:${tid}`) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
