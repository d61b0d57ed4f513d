/** Texts in which a model repeats itself, in many scripts, and ordinary ones, some of them with much that is alike. */

import { type Random, seededRandom } from "./plantedSecrets.ts";

/** First and last letters of scripts, and the digits that numbers are written in. */
const SCRIPTS = {
  latin: ["az", "0123456789", " "],
  accented: ["àÿ", "0123456789", " "],
  cyrillic: ["ая", "0123456789", " "],
  greek: ["αω", "0123456789", " "],
  arabic: ["بغ", "٠١٢٣٤٥٦٧٨٩", " "],
  hebrew: ["את", "0123456789", " "],
  devanagari: ["कह", "०१२३४५६७८९", " "],
  thai: ["กฮ", "๐๑๒๓๔๕๖๗๘๙", ""],
  korean: ["가힣", "0123456789", " "],
  japanese: ["ぁゖ", "０１２３４５６７８９", ""],
  chinese: ["丁龥", "0123456789", ""],
} as const;

export type Script = keyof typeof SCRIPTS;
export const SCRIPT_NAMES = Object.keys(SCRIPTS) as Script[];

/** Sentences of random words, exactly `units` UTF-16 units. */
export function proseOf(script: Script, units: number, random: Random): string {
  const [[first = "a", last = "z"], , space] = SCRIPTS[script];
  const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)];
  let text = "";
  while (text.length < units) {
    const length = 1 + below(random, 9);
    for (let index = 0; index < length; index++) text += String.fromCharCode(low + below(random, high - low + 1));
    text += random() < 0.08 ? `.${random() < 0.3 ? "\n\n" : " "}` : space;
  }
  return text.slice(0, units);
}

export function numberIn(script: Script, value: number): string {
  const [, digits] = SCRIPTS[script];
  return String(value).replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? "");
}

export interface LoopShape {
  readonly script: Script;
  readonly unitLength: number;
  readonly times: number;
  /** Absent: the same each time. */
  readonly firstNumber?: number;
}

/** The unit again and again; its length is that of the first one. */
export function loopOf({ script, unitLength, times, firstNumber }: LoopShape, random: Random): string {
  if (firstNumber === undefined) return proseOf(script, unitLength, random).repeat(times);
  const room = Math.max(1, unitLength - String(firstNumber).length);
  const at = below(random, room);
  const unit = proseOf(script, room, random);
  return Array.from(
    { length: times },
    (_, index) => unit.slice(0, at) + numberIn(script, firstNumber + index) + unit.slice(at),
  ).join("");
}

/** Units as models repeat them, by kind: prose, or data between prose. */
export const UNITS: Readonly<Record<string, (random: Random) => string>> = {
  sentence: (random) => `${sentence(random)} `,
  paragraph: (random) => `${several(1 + below(random, 8), () => sentence(random)).join(" ")}\n\n`,
  list: (random) => `${several(1 + below(random, 8), () => `- ${sentence(random)}`).join("\n")}\n`,
  "numbered list": (random) =>
    `${several(1 + below(random, 8), (index) => `${String(index + 1)}. ${sentence(random)}`).join("\n")}\n`,
  "code block": (random) => {
    const code = several(1 + below(random, 9), () => `const ${pick(WORDS, random)} = ${String(below(random, 99))};`);
    return `${sentence(random)}\n\n${fenced("ts", code.join("\n"))}\n`;
  },
  table: (random) => {
    const rows = several(1 + below(random, 5), () => `| ${pick(WORDS, random)} | ${String(below(random, 99))} |`);
    return `${sentence(random)}\n\n| a | b |\n|---|---|\n${rows.join("\n")}\n\n`;
  },
  heading: (random) => `== ${sentence(random)}\n\n${sentence(random)}\n\n`,
  "two letters": (random) => `${several(1 + below(random, 300), () => pick(["a", "b"], random)).join("")} `,
  words: (random) => `${`${pick(WORDS, random)} `.repeat(1 + below(random, 40))}end. `,
  step: (random) => `Step #: ${sentence(random)}\n`,
  "two numbers": (random) => `#) ${sentence(random)} (see version 1.#)\n`,
};

/** The unit again and again, at least `units` long; `#` in it is a running number. */
export function repeated(unit: string, units: number, firstNumber: number): string {
  let text = "";
  for (let at = 0; text.length < units; at++) text += unit.replaceAll("#", String(firstNumber + at));
  return text;
}

export function sentence(random: Random): string {
  const words = several(3 + below(random, 12), () => pick(WORDS, random)).join(" ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

function several(count: number, make: (index: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Texts of a kind, each about `units` long, as a model writes them: data in fences, prose outside. */
export const ORDINARY: Readonly<Record<string, (units: number, random: Random) => string>> = {
  prose: (units, random) => proseOf(pick(SCRIPT_NAMES, random), units, random),
  logs: (units, random) =>
    fenced(
      "",
      lines(units, (index) => logLine(index, random)),
    ),
  csv: (units, random) =>
    fenced(
      "csv",
      lines(units, (index) => `${String(index)},${decimal(random)},${decimal(random)},${pick(WORDS, random)}`),
    ),
  json: (units, random) =>
    fenced(
      "json",
      JSON.stringify(
        Array.from({ length: Math.ceil(units / 90) }, (_, id) => ({
          id,
          name: pick(WORDS, random),
          score: below(random, 1_000),
          tags: [pick(WORDS, random)],
        })),
        null,
        2,
      ),
    ),
  table: (units, random) =>
    `| name | value | note |\n| --- | ---: | --- |\n${lines(
      units,
      () => `| ${pick(WORDS, random)} | ${decimal(random)} | ${random() < 0.5 ? "ok" : "-"} |`,
    )}\n`,
  base64: (units, random) =>
    fenced("", Buffer.from(Array.from({ length: (units * 3) / 4 }, () => below(random, 256))).toString("base64")),
  hex: (units, random) =>
    fenced(
      "",
      lines(
        units,
        (index) =>
          `${hex(index * 16, 8)}  ${Array.from({ length: 16 }, () => hex(below(random, 4) === 0 ? below(random, 256) : 0, 2)).join(" ")}`,
      ),
    ),
  art: (units, random) =>
    fenced(
      "",
      lines(units, () =>
        Array.from({ length: 20 }, () => pick(["    ", "+--+", "|  |", "----", "/\\/\\"], random)).join(""),
      ),
    ),
  code: (units, random) =>
    fenced(
      "ts",
      lines(
        units,
        (index) =>
          `  case ${String(index)}: return ${pick(WORDS, random)}(${pick(WORDS, random)}, ${String(below(random, 100))});`,
      ),
    ),
  list: (units, random) =>
    lines(
      units,
      () => `- **${pick(WORDS, random)}**: ${proseOf("latin", 20 + below(random, 60), random).replaceAll("\n", " ")}`,
    ),
};

export function ordinary(kind: string, units: number, seed: number): string {
  return ORDINARY[kind]?.(units, seededRandom(seed)) ?? "";
}

export function fenced(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\`\n`;
}

const WORDS = "alpha beta gamma delta request session worker cache index retry buffer parse token stream".split(" ");

function logLine(index: number, random: Random): string {
  const at = new Date(1_760_000_000_000 + index * 1_000 + below(random, 900)).toISOString();
  const level = pick(["INFO", "INFO", "INFO", "WARN", "DEBUG"], random);
  return `${at} ${level} [${pick(WORDS, random)}] ${pick(WORDS, random)} took ${String(below(random, 500))} ms`;
}

function lines(units: number, line: (index: number) => string): string {
  const all: string[] = [];
  for (let length = 0; length < units; length += (all.at(-1) ?? "").length + 1) all.push(line(all.length));
  return all.join("\n");
}

function decimal(random: Random): string {
  return (random() * 1_000).toFixed(2);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[below(random, list.length)] as T;
}

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}
