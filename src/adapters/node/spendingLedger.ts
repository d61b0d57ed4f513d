/**
 * What all windows have spent, day by day: one file for each day of the user's, one line for each request. Lines are only
 * added, each in one write, so several windows can write to the same file.
 */

import path from "node:path";
import { jsonIn } from "../../core/json.ts";
import { codeOf, nodeFiles, type Files } from "./files.ts";
import { removeFolder } from "./removedFolder.ts";

/** Adds what was spent, and answers what a day has come to. */
export class SpendingLedger {
  readonly #folder: string;
  readonly #files: Files;

  /** `storage` is the extension's own folder. */
  constructor(storage: string, files: Files = nodeFiles) {
    this.#folder = path.join(storage, "spending");
    this.#files = files;
  }

  /** Adds an amount, in US dollars, to the day of `atMs`. Rejects when it cannot be written. */
  async add(usd: number, atMs: number): Promise<void> {
    await this.#files.makeFolder(this.#folder);
    await this.#files.append(this.#fileOf(atMs), `${JSON.stringify({ atMs, usd })}\n`);
  }

  /** US dollars of the day of `atMs`, those of other windows too. Rejects when what is there cannot be read. */
  async spentOn(atMs: number): Promise<number> {
    const lines = await this.#files.readText(this.#fileOf(atMs)).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return "";
      throw error;
    });
    return lines.split("\n").reduce((sum, line) => sum + amountIn(line), 0);
  }

  /** Erases all days, those that other windows added to. Rejects when something of them cannot be removed. */
  async erase(): Promise<void> {
    await removeFolder(this.#folder, this.#files);
  }

  /** A day is the user's: it begins and ends at midnight of the clock that they see. */
  #fileOf(atMs: number): string {
    const date = new Date(atMs);
    const two = (number: number): string => String(number).padStart(2, "0");
    const day = `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return path.join(this.#folder, `${day}.jsonl`);
  }
}

/** What a line holds. A damaged one, or one that is just being written, counts nothing. */
function amountIn(line: string): number {
  const value = jsonIn(line);
  const usd = typeof value === "object" && value !== null && "usd" in value ? value.usd : undefined;
  return typeof usd === "number" && usd > 0 && Number.isFinite(usd) ? usd : 0;
}
