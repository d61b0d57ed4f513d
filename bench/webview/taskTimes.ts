/** Measures how long a page is unresponsive: the longest task of its main thread. */

import type { Page } from "playwright-core";

declare global {
  interface Window {
    /** Tasks of over 50 ms, as the browser reports them. */
    forgeLongTasks?: PerformanceEntry[];
  }
}

export class TaskTimes {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async begin(page: Page): Promise<TaskTimes> {
    await page.evaluate(() => {
      const tasks: PerformanceEntry[] = [];
      window.forgeLongTasks = tasks;
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
    });
    return new TaskTimes(page);
  }

  /**
   * Returns the longest task while `act` runs, in milliseconds: the smaller of wall time and processor time, so that
   * preemption by other processes does not count. 0 if none took 50 ms.
   */
  async longestMs(act: () => Promise<void>): Promise<number> {
    const browser = this.#page.context().browser();
    await this.#page.evaluate(() => window.forgeLongTasks?.splice(0));
    await browser?.startTracing(this.#page, { categories: ["toplevel"] });
    await act();
    // The last drawing task is reported after the next frame.
    await this.#page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
    const trace = await browser?.stopTracing();
    return Math.min(longestWorkMs(trace), await this.#page.evaluate(longestSeenMs));
  }
}

/** Runs in the page. */
function longestSeenMs(): number {
  return Math.max(0, ...(window.forgeLongTasks ?? []).map(({ duration }) => Math.round(duration)));
}

/** Processor time of the longest task of a page. */
function longestWorkMs(trace: Buffer | undefined): number {
  if (trace === undefined) throw new Error("the browser was not traced");
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const isPage = (name: string | undefined): boolean => name === "CrRendererMain";
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && isPage(args?.name))
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ ph, tdur, pid, tid }) => ph === "X" && tdur !== undefined && pages.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error("the trace has no task of a page");
  return Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000);
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
