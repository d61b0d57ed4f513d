import type { Page } from "playwright-core";

/**
 * Returns the longest task of the page's main thread while `act` runs, in milliseconds of processor time, which does not
 * include preemption by other processes. The page does not answer for as long.
 */
export async function longestTaskMs(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser");
  await browser.startTracing(page, { categories: ["toplevel"] });
  await act();
  // The last drawing task ends after the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const isPage = ({ name, args }: TraceEvent): boolean => name === "thread_name" && args?.name === "CrRendererMain";
  const pages = new Set(traceEvents.filter(isPage).map(threadOf));
  const tasksUs = traceEvents.flatMap((event) =>
    event.ph === "X" && event.tdur !== undefined && pages.has(threadOf(event)) ? [event.tdur] : [],
  );
  if (tasksUs.length === 0) throw new Error("the trace has no task of a page");
  return Math.round(Math.max(...tasksUs) / 1_000);
}

/** The fields read here. `tdur` is processor time in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}
