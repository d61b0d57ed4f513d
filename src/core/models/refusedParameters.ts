/**
 * Parameters of a request that are good to have and that some models refuse. What was refused once is remembered by model
 * and never sent to it again.
 */

import type { ModelId } from "../ids.ts";

/** Where the memory outlives the window. What it gives back is not believed to have any shape. */
export interface RefusedStore {
  get(): unknown;
  set(value: Readonly<Record<string, readonly string[]>>): void;
}

/** A memory of models with refusals; more than so many are of no use. */
const MOST_MODELS = 200;

/** What each model refused. */
export class RefusedParameters {
  readonly #store: RefusedStore | undefined;
  readonly #refused: Map<string, Set<string>>;

  /** Without a store it forgets at the end of the process. */
  constructor(store?: RefusedStore) {
    this.#store = store;
    this.#refused = read(store?.get());
  }

  /** Whether `model` has refused `parameter`. */
  has(model: ModelId, parameter: string): boolean {
    return this.#refused.get(model)?.has(parameter) === true;
  }

  /** Remembers that `model` refuses `parameter`. */
  add(model: ModelId, parameter: string): void {
    const known = this.#refused.get(model) ?? new Set<string>();
    known.add(parameter);
    this.#refused.delete(model);
    this.#refused.set(model, known);
    const oldest = this.#refused.keys().next().value;
    if (this.#refused.size > MOST_MODELS && oldest !== undefined) this.#refused.delete(oldest);
    this.#keep();
  }

  /** `model` may be sent `parameter` again: what serves it may have changed. */
  forget(model: ModelId, parameter: string): void {
    if (this.#refused.get(model)?.delete(parameter) === true) this.#keep();
  }

  #keep(): void {
    this.#store?.set(Object.fromEntries([...this.#refused].map(([name, parameters]) => [name, [...parameters]])));
  }
}

function read(stored: unknown): Map<string, Set<string>> {
  const refused = new Map<string, Set<string>>();
  if (typeof stored !== "object" || stored === null) return refused;
  for (const [model, parameters] of Object.entries(stored)) {
    if (!Array.isArray(parameters)) continue;
    refused.set(model, new Set(parameters.filter((parameter) => typeof parameter === "string")));
  }
  return refused;
}
