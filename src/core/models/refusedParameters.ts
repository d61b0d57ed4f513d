/** Optional request parameters that some models refuse: remembered per model, and not sent to it again. */

import type { ModelId } from "../ids.ts";

/** Persistence across windows. The shape of what `get` returns is validated. */
export interface RefusedStore {
  get(): unknown;
  set(value: Readonly<Record<string, readonly string[]>>): void;
}

/** Models remembered; the one with the oldest refusal is evicted first. */
const MOST_MODELS = 200;

export class RefusedParameters {
  readonly #store: RefusedStore | undefined;
  readonly #refused: Map<string, Set<string>>;

  /** Without a store, refusals are forgotten when the process ends. */
  constructor(store?: RefusedStore) {
    this.#store = store;
    this.#refused = read(store?.get());
  }

  has(model: ModelId, parameter: string): boolean {
    return this.#refused.get(model)?.has(parameter) === true;
  }

  add(model: ModelId, parameter: string): void {
    const known = this.#refused.get(model) ?? new Set<string>();
    known.add(parameter);
    this.#refused.delete(model);
    this.#refused.set(model, known);
    const oldest = this.#refused.keys().next().value;
    if (this.#refused.size > MOST_MODELS && oldest !== undefined) this.#refused.delete(oldest);
    this.#keep();
  }

  /** Lets `parameter` be sent to `model` again: the server behind the name may have changed. */
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
