/**
 * Conversations with an agent as they are recorded: questions, thoughts, calls with results, pictures, turns that were
 * taken back. Each part is found again by the marks at its beginning and its end. Deterministic for a seed.
 */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "../../../scripts/command.ts";
import { seededRandom, type Random } from "../../../test/support/texts/plantedSecrets.ts";

export interface Words {
  readonly mark: number;
  readonly text: string;
}

export interface Picture {
  readonly mark: number;
  readonly dataBase64: string;
}

export interface GeneratedCall {
  readonly id: string;
  readonly name: string;
  /** JSON of an object. */
  readonly input: Words;
  /** Absent: it was interrupted. */
  readonly result?: Words;
  readonly isError: boolean;
  readonly picture?: Picture;
}

/** Between two requests to the model. All but the last of a turn have calls, the last one has words. */
export interface GeneratedStep {
  readonly number: number;
  readonly thought?: Words;
  readonly said?: Words;
  readonly calls: readonly GeneratedCall[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface GeneratedTurn {
  readonly number: number;
  readonly atMs: number;
  readonly asked: Words;
  readonly picture?: Picture;
  /** A file that the user added. */
  readonly file?: Words;
  readonly steps: readonly GeneratedStep[];
  /** The next turn is a branch beside it. */
  readonly isTakenBack: boolean;
}

export const MODEL = "claude-opus-4-6";
const STARTED_AT_MS = 1_750_000_000_000;
const TURN_MS = 60_000;
/** In 1,000: how often each occurs. */
const OFTEN = { picture: 20, resultPicture: 12, file: 60, takenBack: 25, interrupted: 5, failed: 50, thought: 700 };

/** The marks in a text: number, and whether it is the first (`a`) or the last (`z`) of its part. */
export const MARKS = /mark_(\d+)_([az])/g;

export class Talk {
  readonly #random: Random;
  #marks = 0;
  #turns = 0;
  #steps = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  turn(mostSteps = 12): GeneratedTurn {
    const number = this.#turns++;
    const count = 1 + this.below(mostSteps);
    const steps = Array.from({ length: count }, (_, index) => this.#step(index === count - 1));
    return {
      number,
      atMs: STARTED_AT_MS + number * TURN_MS,
      asked: this.prose(120, 900),
      ...(this.chance(OFTEN.picture) ? { picture: this.picture() } : {}),
      ...(this.chance(OFTEN.file) ? { file: this.code(400, 9_000) } : {}),
      steps,
      isTakenBack: number > 0 && this.chance(OFTEN.takenBack),
    };
  }

  /** True in `often` of 1,000 cases. */
  chance(often: number): boolean {
    return this.#random() * 1_000 < often;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Words that no tool takes for marks of its own. */
  prose(least: number, most: number): Words {
    return this.#marked(pools().prose, least, most);
  }

  code(least: number, most: number): Words {
    return this.#marked(pools().code, least, most);
  }

  picture(): Picture {
    const mark = this.#marks++;
    const { bytes } = pools();
    const length = 20_000 + this.below(80_000);
    const start = this.below(bytes.length - length);
    const head = `PNG mark_${mark}_a `;
    const all = Buffer.concat([
      Buffer.from(head),
      bytes.subarray(start, start + length),
      Buffer.from(` mark_${mark}_z`),
    ]);
    return { mark, dataBase64: all.toString("base64") };
  }

  #step(isLast: boolean): GeneratedStep {
    const number = this.#steps++;
    const calls = isLast ? [] : Array.from({ length: 1 + (this.chance(250) ? this.below(3) : 0) }, () => this.#call());
    return {
      number,
      ...(this.chance(OFTEN.thought) ? { thought: this.prose(150, 1_800) } : {}),
      ...(isLast || this.chance(500) ? { said: this.prose(80, isLast ? 2_500 : 400) } : {}),
      calls,
      inputTokens: 1_000 + number,
      outputTokens: 10 + this.below(900),
    };
  }

  #call(): GeneratedCall {
    const mark = this.#marks++;
    const body = this.#cut(pools().code, 20, this.chance(100) ? 6_000 : 300);
    const path_ = `mark_${mark}_a src/module${this.below(997)}.ts`;
    const text = JSON.stringify({ path: path_, body: `${body} mark_${mark}_z` });
    const isLong = this.chance(40);
    return {
      id: `call_${mark}`,
      name: ["read_file", "shell", "edit", "search"][this.below(4)] ?? "shell",
      input: { mark, text },
      ...(this.chance(OFTEN.interrupted) ? {} : { result: this.code(60, isLong ? 60_000 : 6_000) }),
      isError: this.chance(OFTEN.failed),
      ...(this.chance(OFTEN.resultPicture) ? { picture: this.picture() } : {}),
    };
  }

  #marked(pool: string, least: number, most: number): Words {
    const mark = this.#marks++;
    return { mark, text: `mark_${mark}_a ${this.#cut(pool, least, most).trim()} mark_${mark}_z` };
  }

  #cut(pool: string, least: number, most: number): string {
    const length = least + this.below(most - least);
    const start = this.below(pool.length - length);
    return pool.slice(start, start + length).toWellFormed();
  }
}

interface Pools {
  readonly prose: string;
  readonly code: string;
  readonly bytes: Buffer;
}

let made: Pools | undefined;

/** The project's own texts: ordinary prose and code. */
function pools(): Pools {
  if (made !== undefined) return made;
  const read = (pattern: string | readonly string[]): string =>
    globSync(pattern, { cwd: projectDirectory })
      .toSorted()
      .map((file) => readFileSync(path.join(projectDirectory, file), "utf8"))
      .join("\n");
  const random = seededRandom(1);
  const bytes = Buffer.alloc(1 << 20);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
  const prose = read(["*.md", "docs/**/*.md", "l10n/*.json"])
    .replace(/[<>#`*|[\]{}"/]+/g, "")
    .replace(/[ \t]+\n/g, "\n");
  made = { prose, code: read("src/**/*.ts"), bytes };
  return made;
}
