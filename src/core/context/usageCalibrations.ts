/** What the replies of each model have taught about its counting. One for all conversations, so that each learns for all. */

import type { ModelId } from "../ids.ts";
import { Calibrator } from "../tokens/calibrator.ts";
import { countingFormula } from "../tokens/countingFormula.ts";

/** A calibrator for each model. It corrects what the model's formula says, framing included. */
export class UsageCalibrations {
  readonly #byModel = new Map<ModelId, Calibrator>();

  /** The calibrator of `model`; a new one knows only how well the model's formula is known. */
  of(model: ModelId): Calibrator {
    const known = this.#byModel.get(model);
    if (known !== undefined) return known;
    const costs = { ratio: 1, perMessageTokens: 0, perRequestTokens: 0 };
    const made = new Calibrator({ ...countingFormula(model), ...costs });
    this.#byModel.set(model, made);
    return made;
  }
}
