/**
 * Main-thread time of script, style and layout, by the browser's own counters. A trace would tell the same, but its
 * records of each layout take as long as the layout.
 */

import type { Page } from "playwright-core";

const counters: ReadonlySet<string> = new Set(["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"]);

/** Thread time in milliseconds, which includes no preemption by other processes and no painting. */
export async function workTimeMs(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spentMs = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.reduce((sum, { name, value }) => (counters.has(name) ? sum + value * 1000 : sum), 0);
  };
  const before = await spentMs();
  await work();
  const ms = (await spentMs()) - before;
  await session.detach();
  return ms;
}
