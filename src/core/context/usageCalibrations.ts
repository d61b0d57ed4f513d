/** What the replies of each model have taught about its counting. One for all conversations, so that each learns for all. */

import type { ValidationError } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import { ok, err, type Result } from "../result.ts";
import type { CountedRequest } from "../tokens/calibrator.ts";
import { ModelCalibration, type SavedCalibration } from "./modelCalibration.ts";
import { readCalibrations } from "./savedCalibrations.ts";

/** What was learned of all models, as plain data: to be written to a file, or read by another window. */
export interface SavedCalibrations {
  readonly version: 1;
  /** The one that was met last is the last. */
  readonly models: readonly SavedCalibration[];
}

/** A calibration for each model. */
export class UsageCalibrations {
  readonly #byModel = new Map<ModelId, ModelCalibration>();
  readonly #learned: () => void;

  /** `learned` is called whenever there is something new to save. */
  constructor(learned: () => void = () => undefined) {
    this.#learned = learned;
  }

  /** The calibration of `model`; a new one knows only how well the model's formula is known. */
  of(model: ModelId): ModelCalibration {
    const known = this.#byModel.get(model);
    if (known !== undefined) return known;
    const made = new ModelCalibration(model);
    this.#byModel.set(model, made);
    return made;
  }

  /** Learns what the provider billed for a request to `model`. */
  learn(model: ModelId, request: CountedRequest, reportedTokens: number): void {
    this.of(model).learn(request, reportedTokens);
    this.#learned();
  }

  /** Forgets all of it; what was handed out before goes on for itself. */
  forget(): void {
    this.#byModel.clear();
  }

  /** What was learned so far; of a model of which nothing was, nothing. */
  save(): SavedCalibrations {
    const models = [...this.#byModel.values()].map(({ saved }) => saved);
    const taught = models.filter(({ replies, tools }) => replies > 0 || tools.length > 0);
    return { version: 1, models: taught.slice(-MOST_MODELS) };
  }

  /** Takes over what was saved, where it knows more. With any fault nothing is taken, and the error names the place. */
  merge(saved: unknown): Result<void, ValidationError> {
    const read = readCalibrations(saved);
    if (!read.ok) return err(read.error);
    for (const each of read.value) this.of(each.model).merge(each);
    return ok(undefined);
  }
}

/** More than anybody uses. */
const MOST_MODELS = 500;
