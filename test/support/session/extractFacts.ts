import type { Fact } from "../../../src/core/summary/facts/fact.ts";
import { FactCollector } from "../../../src/core/summary/facts/facts.ts";
import { readSource, type SummarySource } from "../../../src/core/summary/write/source.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";

/** Distinct facts of `sources`, most important first, collected as for a summary. */
export function extractFacts(sources: readonly SummarySource[]): readonly Fact[] {
  const collector = new FactCollector();
  for (const source of sources) runSync(collector.add(readSource(source)));
  return runSync(collector.facts());
}
