/** How much of what must not be lost a text keeps, whoever wrote it. */

import { factsIn } from "../write/composeSummary.ts";
import { FactCollector } from "./facts.ts";
import { readSource, type SummarySource } from "../write/source.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";

/** How many of the facts of `sources` stand in `content`, and how many there are. */
export function* keptFacts(
  content: string,
  sources: readonly SummarySource[],
): CooperativeTask<{ readonly kept: number; readonly total: number }> {
  const collector = new FactCollector();
  for (const source of sources) {
    const read = readSource(source);
    yield;
    yield* collector.add(read);
  }
  return yield* factsIn(content, collector.facts());
}
