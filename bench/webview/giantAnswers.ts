/**
 * Longest pause of the page while an answer arrives that is made to parse or draw slowly, compared with drawing 4,000
 * plain paragraphs in one task (60 ms on a quiet machine with two cores). A reader notices a pause of over 100 ms, which
 * is a ratio of 1.67.
 */

import type { Browser } from "playwright-core";
import { median } from "../../scripts/benchmark.ts";
import { beginAnswer, streamAnswer } from "../../test/browser/support/streamAnswer.ts";
import { WebviewPage } from "../../test/browser/support/webviewPage.ts";
import type { WebviewServer } from "../../test/browser/support/webviewServer.ts";
import { hostileGiants, type HostileSample } from "../../test/support/texts/hostileContent.ts";
import { longestTaskMs } from "./longestTask.ts";

/** Attempts per sample, each beside the plain paragraphs: a task that other work made long is not long again. */
const ROUNDS = 3;
/** As the host sends a fast stream. */
const FULL_PIECES = 24;

/** Those whose longest tasks are the longest: code and many small blocks. */
const SLOWEST: ReadonlySet<string> = new Set([
  "end of the Hebrew code",
  "end of the words of code",
  "end of the small tables",
  "end of the blocks of code",
  "end of the short paragraphs",
]);

export interface GiantTimes {
  /** Of the sample whose ratio is the largest. */
  readonly taskRatio: number;
  readonly taskMs: number;
  /** Median over all samples. */
  readonly plainMs: number;
}

/** `full`: all samples, at once and in pieces (five to eight minutes), not the slowest five at once (20 s). */
export async function giantTimes(browser: Browser, server: WebviewServer, full: boolean): Promise<GiantTimes> {
  const samples = hostileGiants().filter(({ shows }) => full || SLOWEST.has(shows));
  const measured: (readonly [taskMs: number, plainMs: number])[] = [];
  for (const sample of samples)
    for (const pieces of full ? [1, FULL_PIECES] : [1]) measured.push(await measure(browser, server, sample, pieces));
  const [taskMs, plainMs] = measured.toSorted(
    ([task, plain], [other, otherPlain]) => other / otherPlain - task / plain,
  )[0] ?? [Number.NaN, Number.NaN];
  return { taskRatio: taskMs / plainMs, taskMs, plainMs: median(measured.map(([, plain]) => plain)) };
}

async function measure(
  browser: Browser,
  server: WebviewServer,
  sample: HostileSample,
  pieces: number,
): Promise<readonly [taskMs: number, plainMs: number]> {
  const opened = await WebviewPage.open(browser, server);
  let taskMs = Infinity;
  let plainMs = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    await beginAnswer(opened);
    plainMs = Math.min(plainMs, await longestTaskMs(opened.page, () => opened.page.evaluate(drawPlain)));
    taskMs = Math.min(taskMs, await longestTaskMs(opened.page, () => streamAnswer(opened, sample.text, pieces)));
  }
  await opened.close();
  return [taskMs, plainMs];
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
