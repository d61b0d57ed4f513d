/**
 * Spending of all windows: one file per local calendar day, one line per request. Lines are only appended, each in a
 * single write, so several windows can share a file.
 */

import path from "node:path";
import { tryParseJson } from "../../core/json.ts";
import { systemErrorCode, nodeFiles, type Files } from "./files.ts";
import { removeFolder } from "./removeFolder.ts";

export class SpendingLedger {
  readonly #folder: string;
  readonly #files: Files;

  /** `storage`: the extension's storage folder. */
  constructor(storage: string, files: Files = nodeFiles) {
    this.#folder = path.join(storage, "spending");
    this.#files = files;
  }

  /** Rejects if the file cannot be written. */
  async add(usd: number, atMs: number): Promise<void> {
    await this.#files.makeFolder(this.#folder);
    await this.#files.append(this.#fileOf(atMs), `${JSON.stringify({ atMs, usd })}\n`);
  }

  /** Total in US dollars on the day of `atMs`, including other windows. Rejects if an existing file cannot be read. */
  async spentOn(atMs: number): Promise<number> {
    const lines = await this.#files.readText(this.#fileOf(atMs)).catch((error: unknown) => {
      if (systemErrorCode(error) === "ENOENT") return "";
      throw error;
    });
    return lines.split("\n").reduce((sum, line) => sum + amountIn(line), 0);
  }

  /** Erases all days, including entries of other windows. Rejects if a file cannot be removed. */
  async erase(): Promise<void> {
    await removeFolder(this.#folder, this.#files);
  }

  /** Days are in local time. */
  #fileOf(atMs: number): string {
    const date = new Date(atMs);
    const two = (number: number): string => String(number).padStart(2, "0");
    const day = `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return path.join(this.#folder, `${day}.jsonl`);
  }
}

/** 0 for a line that is damaged or still being written. */
function amountIn(line: string): number {
  const value = tryParseJson(line);
  const usd = typeof value === "object" && value !== null && "usd" in value ? value.usd : undefined;
  return typeof usd === "number" && usd > 0 && Number.isFinite(usd) ? usd : 0;
}
