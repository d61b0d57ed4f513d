/** Which models can call tools. An unknown model is assumed to. */

import type { ModelId } from "../../core/ids.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";

/** Key of refused tools among the refused parameters. */
const TOOLS = "tools";

export class ToolSupport {
  readonly #registry: ModelRegistry;
  readonly #refused: RefusedParameters;

  constructor(registry: ModelRegistry, refused: RefusedParameters) {
    this.#registry = registry;
    this.#refused = refused;
  }

  /** The provider's statement, else whether the model has never refused tools. */
  supportsTools(model: ModelId): boolean {
    return this.#registry.abilitiesOf(model).callsTools ?? !this.#refused.has(model, TOOLS);
  }

  /** The model's server drops tools, or refuses them. */
  noteRefusal(model: ModelId): void {
    this.#refused.add(model, TOOLS);
  }

  /** Forgets a refusal: the model's server may support tools by now. */
  forgetRefusal(model: ModelId): void {
    this.#refused.forget(model, TOOLS);
  }
}
