import { factsIn } from "../write/composeSummary.ts";
import { FactCollector } from "./facts.ts";
import { readSource, type SummarySource } from "../write/source.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";

/** How many facts of `sources` the `content` states, of how many in total, whoever wrote it. */
export function* retainedFacts(
  content: string,
  sources: readonly SummarySource[],
): CooperativeTask<{ readonly kept: number; readonly total: number }> {
  const collector = new FactCollector();
  for (const source of sources) {
    const read = readSource(source);
    yield;
    yield* collector.add(read);
  }
  return yield* factsIn(content, yield* collector.facts());
}
