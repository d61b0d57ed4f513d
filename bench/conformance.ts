/** Checks the promises about summaries for every strategy and scripted model. Writes bench/conformance.md. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import type { BenchReport } from "../scripts/benchmark.ts";
import { projectDirectory } from "../scripts/command.ts";
import { conformanceCells, conformanceDocument } from "./support/conformanceTable.ts";

export async function run(): Promise<BenchReport> {
  const cells = await conformanceCells(({ policy, temper, broken, compactions, callsMax, inPromptPercent }) => {
    const verdict = broken.length === 0 ? "kept" : `BROKEN: ${broken.join(", ")}`;
    const figures = `${String(compactions)} compactions, at most ${String(callsMax)} calls, ${inPromptPercent.toFixed(0)} % in prompt`;
    console.log(`${policy.padEnd(10)} ${temper.padEnd(10)} ${figures}, ${verdict}`);
  });
  writeFileSync(path.join(projectDirectory, "bench", "conformance.md"), conformanceDocument(cells));
  return {
    figures: {
      sessions: cells.length,
      sessionsKept: cells.filter(({ broken }) => broken.length === 0).length,
      callsMax: Math.max(...cells.map(({ callsMax }) => callsMax)),
      inPromptPercentMin: Number(Math.min(...cells.map(({ inPromptPercent }) => inPromptPercent)).toFixed(1)),
    },
  };
}
