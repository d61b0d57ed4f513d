/**
 * Formulas as elements. Loads the TeX reader from its own bundle with the first formula, and caches the results, since
 * a growing paragraph is redrawn with each delta. If loading fails, formulas stay as written.
 */
import { signal } from "@preact/signals";
import { loadFunction } from "../loadModule.ts";
import type { Formula } from "../markdown/markdownTree.ts";
import type { MathNode, ReadFormula } from "./mathTree.ts";

/** Formulas in the cache, which is cleared when full. */
const maxCached = 500;

export class Formulas {
  readonly #url: string;
  readonly #read = signal<ReadFormula | null>(null);
  readonly #cache = new Map<string, readonly MathNode[] | null>();
  #isLoading = false;

  /** `address` is the URL of the bundle, as given by the host. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Null if there are none, or not yet; a component that reads this while rendering is then rerendered. */
  elements({ tex, display }: Pick<Formula, "tex" | "display">): readonly MathNode[] | null {
    const read = this.#read.value;
    if (read === null) {
      this.#load();
      return null;
    }
    const key = `${display ? "displayed" : "inline"} ${tex}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const made = read(tex, display);
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(key, made);
    return made;
  }

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    void loadFunction(this.#url, "readFormula", isReadFormula).then((read) => {
      this.#read.value = read;
    });
  }
}

function isReadFormula(value: unknown): value is ReadFormula {
  return typeof value === "function";
}
