/**
 * Retention on recorded conversations of other tools: each is fed message by message and compacted as it grows, at
 * several budgets and with several writers; facts are searched word for word in the requests.
 */

import { existsSync, globSync } from "node:fs";
import path from "node:path";
import type { BenchReport } from "../../../scripts/benchmark.ts";
import { realCell, type RealCell, type Share, type Stated, type Writer, WRITERS } from "./realCell.ts";
import { CLASSES, type FactClass } from "./realFacts.ts";
import { spread } from "./recordedTurns.ts";
import { readTranscripts, type Transcript } from "./transcripts.ts";

const BUDGETS = [8_000, 32_000, 128_000];
/** In characters: shorter conversations are hardly compacted; longer ones take too long. */
const LEAST_LENGTH = 150_000;
const MOST_LENGTH = 1_700_000;
/** Read without `--full`. */
const SAMPLE = 6;

export async function retentionReal(data: string, full: boolean): Promise<BenchReport> {
  const transcripts = transcriptsIn(data);
  const chosen = full ? transcripts : spread(transcripts, SAMPLE);
  if (chosen.length === 0) throw new Error(`no conversation of ${String(LEAST_LENGTH)} characters and more in ${data}`);
  console.log(`${String(chosen.length)} of ${String(transcripts.length)} conversations of ${data}`);
  console.log(`${"".padEnd(48)}${CLASSES.map((name) => name.padStart(14)).join("")}  (percent/wanted)`);
  const cells: RealCell[] = [];
  for (const transcript of chosen) {
    for (const budgetTokens of BUDGETS) {
      for (const writer of WRITERS) {
        const cell = await realCell(transcript, budgetTokens, writer);
        cells.push(cell);
        print(cell);
      }
    }
  }
  const figures = BUDGETS.flatMap((budgetTokens) =>
    WRITERS.flatMap((writer) => figuresOf(cells, budgetTokens, writer)),
  );
  return { figures: { conversations: chosen.length, ...Object.fromEntries(figures) } };
}

function transcriptsIn(data: string): readonly Transcript[] {
  if (!existsSync(data)) throw new Error(`there is no ${data}`);
  const files = globSync("**/*.{jsonl,json,md}", { cwd: data }).toSorted();
  const lengthOf = ({ messages }: Transcript): number => JSON.stringify(messages.map(({ message }) => message)).length;
  return files
    .flatMap((file) => readTranscripts(path.join(data, file)))
    .filter((transcript) => {
      const length = lengthOf(transcript);
      return length >= LEAST_LENGTH && length <= MOST_LENGTH;
    });
}

function print({ name, budgetTokens, writer, byRound, atEnd, ...cell }: RealCell): void {
  const head = `${name.slice(0, 24).padEnd(25)}${String(budgetTokens / 1_000).padStart(4)}k ${writer.padEnd(6)}`;
  for (const { round, stated } of byRound) console.log(`${head} round ${String(round).padEnd(5)}${columns(stated)}`);
  const counts = `${String(cell.originalTokens)} tokens, ${String(cell.compactions)} compactions`;
  console.log(`${head} at end     ${columns(atEnd)}  ${counts}, ${String(cell.impossible)} requests impossible`);
}

function columns(stated: Stated): string {
  return CLASSES.map((name) => {
    const { stated: count, wanted } = stated[name];
    return `${wanted === 0 ? "-" : String(Math.round((count * 100) / wanted))}/${String(wanted)}`.padStart(14);
  }).join("");
}

/** Names of the figures; those of the user are of the newest words, up to a quarter of the budget. */
const FIGURES: Readonly<Record<FactClass, string>> = {
  userWords: "userFactsPercent",
  namesInUse: "namesInUsePercent",
  firstWhole: "firstMessagePercent",
  task: "taskPercent",
  lastFive: "lastFiveUserPercent",
  userFacts: "allUserFactsPercent",
  identifiers: "identifiersPercent",
  paths: "pathsPercent",
  errors: "errorsPercent",
  decisions: "decisionsPercent",
};

function figuresOf(
  cells: readonly RealCell[],
  budgetTokens: number,
  writer: Writer,
): readonly (readonly [name: string, value: number])[] {
  const of = cells.filter((cell) => cell.budgetTokens === budgetTokens && cell.writer === writer);
  const percentOf = (shareOf: (cell: RealCell) => Share): number => {
    const shares = of.map(shareOf);
    const wanted = shares.reduce((sum, share) => sum + share.wanted, 0);
    const stated = shares.reduce((sum, share) => sum + share.stated, 0);
    return wanted === 0 ? 100 : Number(((stated * 100) / wanted).toFixed(1));
  };
  const named = (name: string): string =>
    `${writer === "none" ? "" : `${writer}_`}${name}${String(budgetTokens / 1_000)}k`;
  return [
    ...CLASSES.map((name) => [named(FIGURES[name]), percentOf(({ atEnd }) => atEnd[name])] as const),
    [named("impossibleRequests"), of.reduce((sum, { impossible }) => sum + impossible, 0)],
    [named("recallPercent"), percentOf(({ recalled }) => recalled)],
    [named("recallInTurnPercent"), percentOf(({ recalledInTurn }) => recalledInTurn)],
  ];
}
