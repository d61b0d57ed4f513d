/** Measures how long a page is unresponsive: the longest task of its main thread. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";

declare global {
  interface Window {
    /** Tasks of over 50 ms, as the browser reports them. */
    forgeLongTasks?: PerformanceEntry[];
  }
}

/** A reader notices a longer pause. */
export const MAX_TASK_MS = 100;
/** Duration of `drawPlain` on a quiet machine with two cores. */
const PLAIN_MS = 60;

export class TaskTimes {
  readonly #page: Page;
  readonly #frame: Frame;

  private constructor(page: Page, frame: Frame) {
    this.#page = page;
    this.#frame = frame;
  }

  static async begin(page: Page, frame: Frame): Promise<TaskTimes> {
    await frame.evaluate(() => {
      const tasks: PerformanceEntry[] = [];
      window.forgeLongTasks = tasks;
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
    });
    return new TaskTimes(page, frame);
  }

  /**
   * Returns the longest task while `act` runs, in milliseconds: the smaller of wall time and processor time, so that
   * preemption by other processes does not count.
   */
  async longest(act: () => Promise<void>): Promise<number> {
    const browser = this.#page.context().browser();
    await this.#frame.evaluate(() => window.forgeLongTasks?.splice(0));
    await browser?.startTracing(this.#page, { categories: ["toplevel"] });
    let trace: Buffer | undefined;
    try {
      await act();
      // The last drawing task is reported after the next frame.
      await this.#frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
    } finally {
      trace = await browser?.stopTracing(); // also when `act` failed, or no later test could trace
    }
    return Math.min(longestWork(trace), await this.#frame.evaluate(longestSeen));
  }

  /** Fails if `longestMs` exceeds {@link MAX_TASK_MS} times the slowness of this machine. */
  async assertShort(longestMs: number): Promise<void> {
    if (longestMs <= MAX_TASK_MS) return;
    const mostMs = MAX_TASK_MS * (await this.#slowness());
    assert.ok(longestMs <= mostMs, `the page could not answer for ${longestMs} ms; ${Math.round(mostMs)} here at most`);
  }

  /** Slowness of this machine: the median of five `drawPlain` runs divided by {@link PLAIN_MS}, at least 1. */
  async #slowness(): Promise<number> {
    const plainMs: number[] = [];
    for (let round = 0; round < 5; round++) plainMs.push(await this.longest(() => this.#frame.evaluate(drawPlain)));
    const [, , median = 0] = plainMs.toSorted((one, other) => one - other);
    return Math.max(1, median / PLAIN_MS);
  }
}

/** Runs in the page, as a separate task: draws plain paragraphs and removes them. */
async function drawPlain(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  const box = document.createElement("div");
  box.style.cssText = "position: absolute; visibility: hidden; inline-size: 300px";
  for (let index = 0; index < 4_000; index++) {
    const paragraph = document.createElement("p");
    paragraph.append("Some words, and ", Object.assign(document.createElement("code"), { textContent: "some code" }));
    box.append(paragraph);
  }
  document.body.append(box);
  box.getBoundingClientRect();
  box.remove();
}

/** Runs in the page. Tasks of other frames in the same thread have other names. */
function longestSeen(): number {
  const own = (window.forgeLongTasks ?? []).filter(({ name }) => !/ancestor|descendant|unreachable/.test(name));
  return Math.max(0, ...own.map(({ duration }) => Math.round(duration)));
}

/** Processor time of the longest task of a page, in milliseconds. */
function longestWork(trace: Buffer | undefined): number {
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
