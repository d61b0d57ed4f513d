/**
 * What the chat costs in a real browser. The measuring is typed for a page, not for Node, and so is a project of its own.
 */

import type { BenchOptions, BenchReport, RunBench } from "../scripts/benchmark.ts";

/** Runs it; about half a minute. */
export async function run(options: BenchOptions): Promise<BenchReport> {
  const file = new URL("webview/measure.ts", import.meta.url).href;
  const measuring = (await import(file)) as { readonly run: RunBench };
  return measuring.run(options);
}
