/**
 * `npm run counting-errors -- FILE`: prints the formulas' errors against billed tokens by family, also on recordings
 * that they were not fitted to. FILE has one recorded plain text request per line, as JSON with `source`, `model`,
 * `family`, `host`, `system`, `messages`, `input_tokens`.
 */

import { readFileSync } from "node:fs";
import { testTokenCounter } from "../test/support/models/tokenCounter.ts";
import { halvesOf, heldOutCheck } from "./counting/heldOut.ts";
import {
  countingErrors,
  countRecording,
  type CountedRecording,
  type CountingErrors,
  type RecordedRequest,
} from "./counting/recordedRequests.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: npm run counting-errors -- FILE");
const counter = testTokenCounter();
const lines = readFileSync(file, "utf8").trim().split("\n");
const recordings = lines.map((line) => countRecording(JSON.parse(line) as RecordedRequest, counter));

console.log("Every recording, by family, with the formulas as they are shipped:");
for (const [family, all] of grouped(({ request }) => request.family)) {
  console.log(line(family, figuresOf(countingErrors(all))));
}
const fromOpenAi = recordings.filter(
  ({ request: { host, family } }) => /openai|azure/.test(host) && /^(gpt|o-series)/.test(family),
);
console.log(line("OpenAI's and Azure's hosts", figuresOf(countingErrors(fromOpenAi))));

console.log(
  "\nHeld out: constants fitted on one half of the recordings, judged by the other half, beside the shipped ones:",
);
for (const [name, all] of grouped(({ formula }) => describe(formula))) {
  const [first] = all;
  const halves = halvesOf(all);
  const check = first && heldOutCheck(halves, first.formula);
  const families = [...new Set(all.map(({ request }) => request.family.replace(/^other:.*/, "other")))];
  console.log(`${name} (${families.slice(0, 4).join(", ")}${families.length > 4 ? ", …" : ""})`);
  if (check === undefined) {
    console.log(line("", [`n ${all.length}`, "all in one half"]));
    continue;
  }
  const { ratio, perRequestTokens } = check.formula;
  const fitted = `fitted on ${halves.fitted.length}: × ${ratio.toFixed(2)} + ${perRequestTokens}`;
  console.log(line(`  ${fitted}`, figuresOf(check.fitted)));
  console.log(line("  shipped", figuresOf(check.shipped)));
}

function describe({ encoding, ratio, perMessageTokens, perRequestTokens }: CountedRecording["formula"]): string {
  return `${encoding} × ${ratio} + ${perMessageTokens} a message + ${perRequestTokens}`;
}

function grouped(nameOf: (recording: CountedRecording) => string): readonly (readonly [string, CountedRecording[]])[] {
  const groups = new Map<string, CountedRecording[]>();
  for (const recording of recordings) {
    const name = nameOf(recording);
    groups.set(name, [...(groups.get(name) ?? []), recording]);
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function figuresOf({ count, exact, median, p90 }: CountingErrors): readonly string[] {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [`n ${count}`, `exact ${exact}`, `median ${percent(median)}`, `p90 ${percent(p90)}`];
}

function line(name: string, figures: readonly string[]): string {
  return [name.padEnd(34), ...figures.map((figure) => figure.padEnd(14))].join("").trimEnd();
}
