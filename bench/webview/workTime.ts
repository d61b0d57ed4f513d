/**
 * How much script, style and layout some work took of a page's main thread, by the browser's own counters. A trace would tell
 * the same, but what it notes at each layout takes as long as the layout.
 */

import type { Page } from "playwright-core";

const counters: ReadonlySet<string> = new Set(["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"]);

/** Milliseconds of the thread's own time, which does not grow when other processes want the processor; painting is not in it. */
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
