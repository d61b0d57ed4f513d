/**
 * Formulas as elements. Loads the TeX reader from its own bundle with the first formula, and caches the results, since
 * a growing paragraph is redrawn with each delta. If loading fails, formulas stay as written.
 */
import { signal } from "@preact/signals";
import { loadFunction } from "../loadModule.ts";
import type { Formula } from "../markdown/markdownTree.ts";
import type { MathNode, ReadFormula } from "./mathTree.ts";

/** Formulas in the cache, which is cleared when full. */
const mostKept = 500;

export class Formulas {
  readonly #address: string;
  readonly #read = signal<ReadFormula | null>(null);
  readonly #kept = new Map<string, readonly MathNode[] | null>();
  #isAsked = false;

  /** `address` is the URL of the bundle, as given by the host. */
  constructor(address: string) {
    this.#address = address;
  }

  /** Null if there are none, or not yet; a component that reads this while rendering is then rerendered. */
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
