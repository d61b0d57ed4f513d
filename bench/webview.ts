/** Cost of the chat in a real browser. A separate TypeScript project, since it is typed for a page and not for Node. */

import type { BenchOptions, BenchReport, RunBench } from "../scripts/benchmark.ts";

/** Runs all measurements (about 50 s; with `full`, up to nine minutes). */
export async function run(options: BenchOptions): Promise<BenchReport> {
  const file = new URL("webview/measure.ts", import.meta.url).href;
  const measuring = (await import(file)) as { readonly run: RunBench };
  return measuring.run(options);
}
