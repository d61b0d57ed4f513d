/** The conformance results as a document: strategies by models, with promises and costs. */

import { isPassive } from "../../src/core/context/contextSettings.ts";
import { CONTEXT_POLICIES, type ContextPolicy } from "../../src/core/context/contextSettings.ts";
import { TEMPERS, type Temper } from "../../test/support/session/temperaments.ts";
import { conformanceCell, type ConformanceCell } from "./conformanceCell.ts";

const POLICIES = CONTEXT_POLICIES.filter((policy) => !isPassive(policy));

/** Runs all sessions. Calls `done` after each. */
export async function conformanceCells(
  done: (cell: ConformanceCell) => void = () => undefined,
): Promise<readonly ConformanceCell[]> {
  const cells: ConformanceCell[] = [];
  for (const policy of POLICIES) {
    for (const temper of TEMPERS) {
      const cell = await conformanceCell(policy, temper);
      cells.push(cell);
      done(cell);
    }
  }
  return cells;
}

export function conformanceDocument(cells: readonly ConformanceCell[]): string {
  const broken = cells.filter((cell) => cell.broken.length > 0);
  return `${[
    "# Conformance of summaries",
    "",
    "Made by `npm run bench -- conformance`; a test sees to it that this is what the code gives.",
    "Each strategy holds one session of 70 turns in a window of 8,000 tokens, with a model of each temper writing the",
    "summaries: good, terse, rambling, lying, failing, slow, refusing, echoing, and one that passes on an order from a",
    "tool's output. A cell names the compactions, the most calls that one of them took, and the percentage of the planted",
    "facts that the last request holds word for word; the others are one call of `recall_history` away. `✓` says that all",
    "of this held:",
    "",
    "- fits: no request, those for summaries included, was over its budget",
    "- bounded: no compaction took more calls than twice its pieces and merges",
    "- smaller: every summary is smaller than what it stands for, and every compaction made the request smaller",
    "- settled: compacting again, with nothing said in between, does nothing",
    "- reachable: every planted fact is in the request, or found by one recall",
    "- marked: whatever the model made up and a summary holds is marked as unverified",
    "- data stays data: an order in a tool's output is in no summary",
    "- secrets out: a key that the user showed is in no summary, and was sent to no summarizer",
    "- reversible: with every summary undone, the originals are sent, byte for byte",
    "",
    ...table([
      ["strategy", ...TEMPERS],
      ...POLICIES.map((policy) => [policy, ...TEMPERS.map((temper) => cellText(cells, policy, temper))]),
    ]),
    "",
    broken.length === 0
      ? `All ${String(cells.length)} sessions kept all promises.`
      : broken
          .map(({ policy, temper, broken: all }) => `Not kept by ${policy}, ${temper}: ${all.join(", ")}.`)
          .join("\n"),
  ].join("\n")}\n`;
}

function cellText(cells: readonly ConformanceCell[], policy: ContextPolicy, temper: Temper): string {
  const cell = cells.find((candidate) => candidate.policy === policy && candidate.temper === temper);
  if (cell === undefined) return "";
  const { broken, compactions, callsMax, inPromptPercent } = cell;
  return `${broken.length === 0 ? "✓" : "✗"} ${String(compactions)} × ≤ ${String(callsMax)}, ${inPromptPercent.toFixed(0)} %`;
}

/** A Markdown table with aligned columns. The first row is the head. */
function table([head = [], ...rows]: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
