import { beginningOf } from "../../cutText.ts";
import type { ValidationError } from "../../errors.ts";

/** A line, or another stretch of the file, that cannot be read. */
export interface DamagedLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

const MOST_LINES_KEPT = 100;
export const MOST_CHARACTERS_KEPT = 200_000;

/** Counts the damaged lines of a file, and keeps the first ones, each with its beginning. */
export class DamagedLines {
  readonly kept: DamagedLine[] = [];
  #count = 0;
  #charactersLeft = MOST_CHARACTERS_KEPT;
  #fault: ValidationError | undefined;

  get count(): number {
    return this.#count;
  }

  /** The first fault of a line that is JSON. */
  get fault(): ValidationError | undefined {
    return this.#fault;
  }

  add({ line, text }: DamagedLine, fault?: ValidationError): void {
    this.#count++;
    this.#fault ??= fault;
    if (this.kept.length === MOST_LINES_KEPT) return;
    const beginning = beginningOf(text, this.#charactersLeft);
    this.#charactersLeft -= beginning.length;
    this.kept.push({ line, text: beginning });
  }

  addAll(others: DamagedLines): void {
    for (const line of others.kept) this.add(line, others.fault);
    this.#count += others.count - others.kept.length;
  }
}
