/**
 * Formulas as elements: loads what reads them from its own file when the first one is shown, and remembers what it read,
 * since a growing paragraph is drawn again with each piece of text. Where it cannot be loaded, formulas stay as written.
 */
import { signal } from "@preact/signals";
import { loadFunction } from "../loadModule.ts";
import type { Formula } from "../markdown/markdownTree.ts";
import type { MathNode, ReadFormula } from "./mathTree.ts";

/** Formulas that are remembered. */
const mostKept = 500;

/** Gives the elements of formulas. */
export class Formulas {
  readonly #address: string;
  readonly #read = signal<ReadFormula | null>(null);
  readonly #kept = new Map<string, readonly MathNode[] | null>();
  #isAsked = false;

  /** `address` is that of the file, as the host knows it. */
  constructor(address: string) {
    this.#address = address;
  }

  /** The elements; null where there are none, or none yet. Who asks while drawing is drawn again when there are. */
  elements({ tex, display }: Pick<Formula, "tex" | "display">): readonly MathNode[] | null {
    const read = this.#read.value;
    if (read === null) {
      this.#load();
      return null;
    }
    const key = `${display ? "displayed" : "inline"} ${tex}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = read(tex, display);
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(key, made);
    return made;
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    void loadFunction(this.#address, "readFormula", isReadFormula).then((read) => {
      this.#read.value = read;
    });
  }
}

function isReadFormula(value: unknown): value is ReadFormula {
  return typeof value === "function";
}
