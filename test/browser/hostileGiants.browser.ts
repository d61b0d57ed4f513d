/** Giant answers that are made to parse or draw slowly block the page for no longer than a reader notices. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { MAX_TASK_MS, TaskTimes } from "./support/taskTimes.ts";
import { isThorough } from "../support/runOptions.ts";
import { hostileGiants, type HostileSample } from "../support/texts/hostileContent.ts";
import { answer, streaming, status, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

/** Attempts per sample: a task that other work on the machine made long is not long again. */
const ROUNDS = 3;

/** At once, and as the host sends a fast stream. */
const WAYS = [
  { name: "whole", pieces: 1 },
  { name: "streamed in pieces", pieces: isThorough ? 80 : 24 },
] as const;

describe("webview: giant hostile answers", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("are measured by a probe that detects a task of one second", async () => {
    const times = await TaskTimes.begin(opened.page, opened.page.mainFrame());
    const longestMs = await times.longest(() =>
      opened.page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        for (const end = performance.now() + 1_000; performance.now() < end;);
      }),
    );
    assert.ok(longestMs > MAX_TASK_MS, `it was seen as ${longestMs} ms`);
    await assert.rejects(times.assertShort(10 * longestMs));
  });

  for (const way of WAYS) {
    for (const sample of hostileGiants()) {
      it(`cause no long task: ${sample.shows}, ${way.name}`, async () => {
        const times = await TaskTimes.begin(opened.page, opened.page.mainFrame());
        let longestMs = Infinity;
        for (let round = 0; round < ROUNDS && longestMs > MAX_TASK_MS; round++) {
          longestMs = Math.min(longestMs, await streamed(opened, times, sample, way.pieces));
        }
        await canBeRead(opened.page, sample);
        await times.assertShort(longestMs);
      });
    }
  }
});

/** Streams a sample as an answer into a new view. Returns the longest task in milliseconds. */
async function streamed(opened: WebviewPage, times: TaskTimes, sample: HostileSample, pieces: number): Promise<number> {
  const { page } = opened;
  const begun = view([user(0, "What do you say?"), streaming("step_1")], { status: status({ activity: "streaming" }) });
  await opened.show(begun);
  const length = Math.ceil(sample.text.length / pieces);
  const deltas = Array.from({ length: pieces }, (_, index) => sample.text.slice(index * length, (index + 1) * length));
  return times.longest(async () => {
    for (const text of deltas) await opened.say({ kind: "delta", rowId: "step_1", part: "text", text });
    await opened.say({ kind: "rowChanged", rowId: "step_1", row: answer(1, sample.text) });
    await page.locator('[data-message-id="1"]').waitFor();
    // Code is highlighted when the page is idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
  });
}

/** Asserts that the sample's end can be scrolled into view, after unfolding long code. */
async function canBeRead(page: Page, { shows }: HostileSample): Promise<void> {
  const whole = page.getByRole("button", { name: /^Show all/ });
  if (await whole.isVisible()) await whole.click();
  const end = page.locator('[data-message-id="1"] .markdown').getByText(shows).last();
  await end.scrollIntoViewIfNeeded();
  assert.ok(await end.isVisible(), `${shows} is in sight`);
}
