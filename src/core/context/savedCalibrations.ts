/** Reads what was learned about counting from data that anybody may have written. */

import type { ValidationError } from "../errors.ts";
import { DocumentReader, type Place } from "../history/documentReader.ts";
import { modelId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { HIGHEST_RATIO, LARGEST_VARIANCE, LOWEST_RATIO } from "../tokens/calibrator.ts";
import { CONTENT_CLASSES } from "../tokens/contentClass.ts";
import type { SavedCalibration } from "./modelCalibration.ts";

/** What was learned of each model, or the first place where the data is not as it must be. */
export function readCalibrations(saved: unknown): Result<readonly SavedCalibration[], ValidationError> {
  const read = new DocumentReader();
  const { version, models } = read.fields({ value: saved, path: "calibrations" }, ["version", "models"]);
  read.whole(version, 1, 1);
  const calibrations = read.each(models, (place) => readCalibration(read, place), MOST_ENTRIES);
  return read.fault === undefined ? ok(calibrations) : err(read.fault);
}

const MOST_ENTRIES = 10_000;

function readCalibration(read: DocumentReader, place: Place): SavedCalibration {
  const fields = read.fields(place, ["model", "ratios", "covariance", "replies", "meanSquaredError", "tools"]);
  const name = read.text(fields.model);
  if (name === "") read.refuse(fields.model, "text that is not empty");
  const ofClasses = <T>(of: Place, item: (each: Place) => T): readonly T[] => {
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
