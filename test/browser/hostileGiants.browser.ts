/**
 * Giant answers that are made to parse or draw slowly are drawn within the limits, and can be read to their end.
 * `bench -- webview` measures the pauses that they cause.
 */
import assert from "node:assert/strict";
import { isThorough } from "../support/runOptions.ts";
import { hostileGiants, type HostileSample } from "../support/texts/hostileContent.ts";
import { beginAnswer, streamAnswer } from "./support/streamAnswer.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

/** At once, and as the host sends a fast stream. */
const WAYS = [
  { name: "whole", pieces: 1 },
  { name: "streamed in pieces", pieces: isThorough ? 80 : 24 },
] as const;

/** Elements and text nodes of an answer: the limit of `markdownBlocks` and the last block that began within it. */
const MAX_NODES = 20_500;

describe("webview: giant hostile answers", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  for (const way of WAYS) {
    for (const sample of hostileGiants()) {
      it(`can be read: ${sample.shows}, ${way.name}`, async () => {
        await beginAnswer(opened);
        await streamAnswer(opened, sample.text, way.pieces);
        assert.ok((await drawnNodes(opened)) <= MAX_NODES);
        await canBeRead(opened, sample);
      });
    }
  }
});

/** Counts elements and text nodes. */
async function drawnNodes(opened: WebviewPage): Promise<number> {
  return opened.page.locator('[data-message-id="1"] .markdown').evaluate((answerElement) => {
    const walker = document.createTreeWalker(answerElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let count = 0;
    while (walker.nextNode() !== null) count++;
    return count;
  });
}

/** Asserts that the sample's end can be scrolled into view, after unfolding long code. */
async function canBeRead({ page }: WebviewPage, { shows }: HostileSample): Promise<void> {
  const whole = page.getByRole("button", { name: /^Show all/ });
  if (await whole.isVisible()) await whole.click();
  const end = page.locator('[data-message-id="1"] .markdown').getByText(shows).last();
  await end.scrollIntoViewIfNeeded();
  assert.ok(await end.isVisible(), `${shows} is in sight`);
}
