/**
 * `npm run counting-errors -- FILE`: how far the formulas are from what providers billed, by family. FILE holds recorded
 * plain text requests, one JSON object a line: `model`, `family`, `host`, `system`, `messages`, `input_tokens`.
 */

import { readFileSync } from "node:fs";
import { modelId } from "../src/core/ids.ts";
import { countingFormula, tokensOf } from "../src/core/tokens/countingFormula.ts";
import { testTokenCounter } from "../test/support/tokenCounter.ts";

interface RecordedRequest {
  readonly model: string;
  readonly family: string;
  readonly host: string;
  readonly system: unknown;
  readonly messages: readonly unknown[];
  readonly input_tokens: number;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: npm run counting-errors -- FILE");
const counter = testTokenCounter();
const lines = readFileSync(file, "utf8").trim().split("\n");
const requests = lines.map((line) => JSON.parse(line) as RecordedRequest);

for (const name of [...new Set(requests.map(({ family }) => family))].toSorted()) {
  print(
    name,
    requests.filter(({ family }) => family === name),
  );
}
print("OpenAI's and Azure's hosts", requests.filter(isFromOpenAi));

function print(name: string, all: readonly RecordedRequest[]): void {
  const errors = all.map((request) => predictedTokens(request) - request.input_tokens);
  const shares = errors.map((error, index) => Math.abs(error) / (all[index]?.input_tokens ?? 1)).toSorted(ascending);
  const at = (rank: number): string => `${((shares[Math.floor((shares.length - 1) * rank)] ?? 0) * 100).toFixed(1)} %`;
  const exact = errors.filter((error) => error === 0).length;
  const figures = [`n ${all.length}`, `exact ${exact}`, `median ${at(0.5)}`, `p90 ${at(0.9)}`];
  console.log([name.padEnd(28), ...figures.map((figure) => figure.padEnd(14))].join("").trimEnd());
}

function predictedTokens({ model, family, system, messages }: RecordedRequest): number {
  // A model's name may be that of a deployment; its family is known from who answered, where it is one.
  const formula = countingFormula(modelId(/^(other:|o-series)/.test(family) ? model : family));
  const sent = [...(textsIn(system).length === 0 ? [] : [system]), ...messages].map(textsIn);
  const tokens = sent.map((texts) => {
    const count = texts.reduce((sum, text) => sum + counter.countText(text, formula.encoding), 0);
    return tokensOf({ cl100k: count, o200k: count }, formula);
  });
  return tokens.reduce((sum, each) => sum + each, formula.perRequestTokens);
}

/** All text of a message or of instructions, whatever the shape of the API. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  const own = "text" in value && typeof value.text === "string" ? [value.text] : [];
  return [
    ...own,
    ...("content" in value ? textsIn(value.content) : []),
    ...("parts" in value ? textsIn(value.parts) : []),
  ];
}

function isFromOpenAi({ host, family }: RecordedRequest): boolean {
  return /openai|azure/.test(host) && /^(gpt|o-series)/.test(family);
}

function ascending(one: number, other: number): number {
  return one - other;
}
