/** Planted secrets that are found, in every kind and form, and false alarms on the sources of real projects. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BenchReport } from "../scripts/benchmark.ts";
import { projectDirectory } from "../scripts/command.ts";
import { redact } from "../src/core/secrets/redact.ts";
import { FORMS, isReadable, KINDS, seededRandom } from "../test/support/texts/plantedSecrets.ts";

/** Secrets of each kind in each form. */
const ROUNDS = 20;
const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css|py|go|rs|c|h|yml|yaml|html)$/;
/** Larger files are bundles. */
const MOST_BYTES = 1_000_000;

export function run(): Promise<BenchReport> {
  const found = foundSecrets();
  const alarms = falseAlarms();
  return Promise.resolve({
    figures: {
      kinds: Object.keys(KINDS).length,
      forms: Object.keys(FORMS).length,
      foundPercent: found,
      falsePer100kLines: alarms.per100kLines,
      lines: alarms.lines,
      secondsPerMb: alarms.secondsPerMb,
    },
  });
}

function foundSecrets(): number {
  const random = seededRandom(26);
  let [found, all] = [0, 0];
  for (const [form, shaped] of Object.entries(FORMS)) {
    const missed: string[] = [];
    for (const [kind, made] of Object.entries(KINDS)) {
      let missing = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const planted = shaped(made(random), random);
        const isFound = !isReadable(redact(`before ${planted.text} after\n`).text, planted);
        all++;
        if (isFound) found++;
        else missing++;
      }
      if (missing > 0) missed.push(`${kind} ${String(missing)} of ${String(ROUNDS)}`);
    }
    console.log(`${form}: ${missed.length === 0 ? "all found" : `missed ${missed.join(", ")}`}`);
  }
  return rounded((100 * found) / all);
}

function falseAlarms(): { readonly per100kLines: number; readonly lines: number; readonly secondsPerMb: number } {
  let [alarms, lines, bytes] = [0, 0, 0];
  const before = process.cpuUsage();
  for (const file of sources()) {
    const text = readFileSync(file, "utf8");
    bytes += text.length;
    lines += text.split("\n").length;
    const { count, text: redacted } = redact(text);
    alarms += count;
    if (count > 0 && process.argv.includes("--list")) {
      const before = new Set(redacted.split("\n").filter((line) => line.includes("[redacted: ")));
      for (const line of before) console.log(`${path.relative(projectDirectory, file)}: ${line.trim().slice(0, 200)}`);
    }
  }
  const { user, system } = process.cpuUsage(before);
  return {
    per100kLines: rounded((100_000 * alarms) / lines),
    lines,
    secondsPerMb: rounded((user + system) / bytes),
  };
}

/** The project's own, and those of its dependencies. */
function sources(): readonly string[] {
  const roots = ["src", "scripts", "node_modules"].map((name) => path.join(projectDirectory, name));
  return roots
    .flatMap((root) =>
      readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return entry.isFile() && SOURCE.test(entry.name) ? [file] : [];
      }),
    )
    .filter((file) => readFileSync(file).length <= MOST_BYTES);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
