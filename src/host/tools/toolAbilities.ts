/** Which models can call tools, as far as anybody knows; one of which nothing is known can. */

import type { ModelId } from "../../core/ids.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";

/** Under this name it is remembered that a model has refused tools. */
const TOOLS = "tools";

/** Knows it from providers, and from refusals. */
export class ToolAbilities {
  readonly #registry: ModelRegistry;
  readonly #refused: RefusedParameters;

  constructor(registry: ModelRegistry, refused: RefusedParameters) {
    this.#registry = registry;
    this.#refused = refused;
  }

  /** What the provider of `model` says, else whether it has ever refused tools. */
  canCall(model: ModelId): boolean {
    return this.#registry.callsTools(model) ?? !this.#refused.has(model, TOOLS);
  }

  /** Forgets that `model` has refused tools: its server may have been set up for them since. */
  offerAgain(model: ModelId): void {
    this.#refused.forget(model, TOOLS);
  }
}
