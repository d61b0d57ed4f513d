/** `npm run bench -- NAME [--json] [--full] [--rounds N] [--real] [--scale] [--data DIR] [--s3 URL]`: runs bench/NAME.ts and prints its results. */

import { globSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { BenchReport, RunBench } from "./benchmark.ts";
import { projectDirectory } from "./command.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"), // a second "--": "bench -- crash -- --rounds 9"
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    rounds: { type: "string" },
    real: { type: "boolean", default: false },
    scale: { type: "boolean", default: false },
    data: { type: "string" },
    s3: { type: "string" },
  },
});
const names = globSync("bench/*.ts", { cwd: projectDirectory }).map((file) => path.basename(file, ".ts"));
const [name = ""] = positionals;
if (!names.includes(name))
  throw new Error(`usage: npm run bench -- NAME, with NAME one of ${names.toSorted().join(", ")}`);

const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (rounds !== undefined && !(Number.isSafeInteger(rounds) && rounds > 0))
  throw new Error("--rounds is a whole number");

const { run } = (await import(path.join(projectDirectory, "bench", `${name}.ts`))) as { readonly run: RunBench };
const { full, real, scale, data, s3 } = values;
const report = await run({
  full,
  ...(rounds === undefined ? {} : { rounds }),
  ...(real ? { real } : {}),
  ...(scale ? { scale } : {}),
  ...(data === undefined ? {} : { data: path.resolve(data) }),
  ...(s3 === undefined ? {} : { s3 }),
});
print(report);
if (values.json) {
  const machine = { node: process.version, cpus: os.availableParallelism() };
  console.log(JSON.stringify({ bench: name, ...report, machine }));
}

function print({ figures, peers = {} }: BenchReport): void {
  const width = Math.max(...[...Object.keys(figures), ...Object.keys(peers)].map((key) => key.length));
  for (const [key, value] of Object.entries(figures)) console.log(`${key.padEnd(width)}  ${String(value)}`);
  for (const [key, value] of Object.entries(peers)) console.log(`${key.padEnd(width)}  ${value}  (peer)`);
}
