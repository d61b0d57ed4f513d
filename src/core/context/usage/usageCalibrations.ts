/** Calibrations by model, shared by all conversations, so that each learns for all. */

import type { ValidationError } from "../../errors.ts";
import { type ModelId, modelId } from "../../ids.ts";
import { countIn } from "../../json.ts";
import { ok, err, type Result } from "../../result.ts";
import { type CountedRequest, HIGHEST_RATIO, LARGEST_VARIANCE, LOWEST_RATIO } from "../../tokens/calibrator.ts";
import { ModelCalibration, type SavedCalibration } from "./modelCalibration.ts";
import { DocumentReader, type LocatedValue } from "../../documents/documentReader.ts";
import { CONTENT_CLASSES } from "../../tokens/contentClass.ts";

/** Serializable: saved to a file, read by other windows. */
const VERSION = 1;

export interface SavedCalibrations {
  readonly version: typeof VERSION;
  /** In the order in which the models were first met. */
  readonly models: readonly SavedCalibration[];
}

export class UsageCalibrations {
  readonly #byModel = new Map<ModelId, ModelCalibration>();
  readonly #onLearned: () => void;

  /** `learned` is called whenever there is something new to save. */
  constructor(onLearned: () => void = () => undefined) {
    this.#onLearned = onLearned;
  }

  /** A new calibration knows only how well the model's formula is known. */
  of(model: ModelId): ModelCalibration {
    const known = this.#byModel.get(model);
    if (known !== undefined) return known;
    const made = new ModelCalibration(model);
    this.#byModel.set(model, made);
    return made;
  }

  /** Returns whether the bill shows that the tools of the request were dropped. `conversation`: where it was asked. */
  learn(model: ModelId, request: CountedRequest, reportedTokens: number, conversation?: object): boolean {
    const calibration = this.of(model);
    const ignoresTools = calibration.ignoresTools(request, reportedTokens);
    calibration.learn(request, reportedTokens, conversation);
    this.#onLearned();
    return ignoresTools;
  }

  /** Calibrations handed out before live on independently. */
  forget(): void {
    this.#byModel.clear();
  }

  /** Omits models of which nothing was learned. */
  save(): SavedCalibrations {
    const models = [...this.#byModel.values()].map(({ saved }) => saved);
    const taught = models.filter(({ replies, tools }) => replies > 0 || tools.length > 0);
    return { version: VERSION, models: taught.slice(-MAX_SAVED_MODELS) };
  }

  /** Adopts saved calibrations that know more; nothing if anything is invalid: the error names the place. */
  merge(saved: unknown): Result<void, ValidationError> {
    const read = readCalibrations(saved);
    if (!read.ok) return err(read.error);
    for (const each of read.value) this.of(each.model).merge(each);
    return ok(undefined);
  }
}

/** More than anybody uses. */
const MAX_SAVED_MODELS = 500;

export function areOfNewerVersion(saved: unknown): boolean {
  return countIn(saved, "version") > VERSION;
}

/** The error names the first invalid place. */
export function readCalibrations(saved: unknown): Result<readonly SavedCalibration[], ValidationError> {
  const read = new DocumentReader();
  const { version, models } = read.fields({ value: saved, path: "calibrations" }, ["version", "models"]);
  read.whole(version, VERSION, VERSION);
  const calibrations = read.each(models, (place) => readCalibration(read, place), MOST_ENTRIES);
  return read.fault === undefined ? ok(calibrations) : err(read.fault);
}

const MOST_ENTRIES = 10_000;

function readCalibration(read: DocumentReader, place: LocatedValue): SavedCalibration {
  const fields = read.fields(place, ["model", "ratios", "covariance", "replies", "meanSquaredError", "tools"]);
  const name = read.text(fields.model);
  if (name === "") read.refuse(fields.model, "text that is not empty");
  const ofClasses = <T>(of: LocatedValue, item: (each: LocatedValue) => T): readonly T[] => {
    const items = read.each(of, item, CONTENT_CLASSES.length);
    if (items.length < CONTENT_CLASSES.length) read.refuse(of, `${String(CONTENT_CLASSES.length)} of them`);
    return items;
  };
  const covariance = ofClasses(fields.covariance, (row) =>
    ofClasses(row, (each) => read.number(each, -LARGEST_VARIANCE, LARGEST_VARIANCE)),
  );
  if (covariance.some((row, index) => (row[index] ?? 0) < 0)) read.refuse(fields.covariance, "no variance below 0");
  return {
    model: modelId(name),
    ratios: ofClasses(fields.ratios, (each) => read.number(each, LOWEST_RATIO, HIGHEST_RATIO)),
    covariance,
    replies: read.whole(fields.replies),
    meanSquaredError: read.amount(fields.meanSquaredError),
    tools: read.each(
      fields.tools,
      (tool) => {
        const { toolSet, tokens } = read.fields(tool, ["toolSet", "tokens"]);
        return { toolSet: read.text(toolSet), tokens: read.whole(tokens, 0, MOST_TOOL_TOKENS) };
      },
      MOST_ENTRIES,
    ),
  };
}

const MOST_TOOL_TOKENS = 1_000_000;
