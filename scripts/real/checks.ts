/** Collects the results of a leg: each check passes, fails or is skipped, with what was measured or the reason. */

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { smallPng } from "../pictures/smallPng.ts";
import type { CheckResult, FigureTable } from "./report.ts";

export class Checks {
  readonly results: CheckResult[] = [];
  readonly tables: FigureTable[] = [];
  readonly #leg: string;
  readonly #folder: string;
  readonly #print: (line: string) => void;
  #pictures: string[] = [];

  /** Pictures go to `folder`. */
  constructor(leg: string, folder: string, print: (line: string) => void) {
    this.#leg = leg;
    this.#folder = folder;
    this.#print = print;
  }

  /** Runs `work`, which resolves to what was measured, or rejects. Never rejects itself. */
  async check(title: string, work: () => Promise<string> | string): Promise<boolean> {
    const start = performance.now();
    try {
      this.#add(title, "passed", await work(), start);
      return true;
    } catch (error) {
      const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\nCall log:");
      this.#add(title, "failed", message, start);
      return false;
    }
  }

  skip(title: string, reason: string): void {
    this.#add(title, "skipped", reason, performance.now());
  }

  /** Adds a table of figures to the report. */
  table(table: Omit<FigureTable, "leg">): void {
    this.tables.push({ leg: this.#leg, ...table });
  }

  /** Takes a screenshot for the report, at the check that runs or ends next. */
  async picture(page: Page, name: string): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    const file = `${this.#leg}-${name}.png`;
    writeFileSync(path.join(this.#folder, file), smallPng(await page.screenshot({ animations: "disabled" })));
    this.#pictures.push(file);
  }

  #add(title: string, state: CheckResult["state"], note: string, startMs: number): void {
    const seconds = (performance.now() - startMs) / 1_000;
    const pictures = this.#pictures;
    this.#pictures = [];
    this.results.push({ leg: this.#leg, title, state, note, seconds, pictures });
    const mark = { passed: "ok     ", failed: "FAILED ", skipped: "skipped" }[state];
    this.#print(`  ${mark} ${this.#leg}: ${title} (${seconds.toFixed(1)} s)${note === "" ? "" : `: ${note}`}`);
  }
}
