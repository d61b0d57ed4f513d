/** Inputs of tools: a schema, from which the model is told what to write and by which it is parsed. They cannot differ. */

import { beginningOf } from "../../../core/cutText.ts";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { parseJson } from "../../../core/json.ts";
import { err, ok, type Result } from "../../../core/result.ts";

/** Named fields and no others: one that is unknown was meant to do something. */
export type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** Lengths in UTF-16 units. */
export function text(
  description: string,
  { least = 0, most }: { readonly least?: number; readonly most: number },
): v.GenericSchema<string> {
  return v.pipe(v.string(), v.minLength(least), v.maxLength(most), v.description(description));
}

export function integer(
  description: string,
  { least, most }: { readonly least: number; readonly most: number },
): v.GenericSchema<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(description));
}

export function flag(description: string): v.GenericSchema<boolean> {
  return v.pipe(v.boolean(), v.description(description));
}

/** The JSON Schema for the model. */
export function inputSchemaJson(schema: InputSchema): string {
  return JSON.stringify({ ...toJsonSchema(schema), $schema: undefined });
}

/**
 * Parses what a model wrote as arguments. No text at all counts as `{}` only where no field is required, as some models
 * write it: truncated arguments are never completed. Null counts as left out. The error is for the model.
 */
export function parseInput<Schema extends InputSchema>(
  schema: Schema,
  inputJson: string,
): Result<v.InferOutput<Schema>, string> {
  const isEmpty = inputJson.trim() === "" && v.is(schema, {});
  const json = parseJson(isEmpty ? "{}" : inputJson);
  if (!json.ok) return err(`The arguments are not whole JSON (${json.error}).`);
  const given = json.value;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return err(`Expected an object; found ${quoted(given)}.`);
  }
  const names = Object.keys(schema.entries);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return err(
      `There is no field ${quoted(unknown)}. ${names.length === 0 ? "It takes none" : `It takes ${names.join(", ")}`}.`,
    );
  }
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = v.safeParse(schema, fields, { abortEarly: true });
  return parsed.success ? ok(parsed.output) : err(issueText(parsed.issues[0]));
}

function issueText(issue: v.BaseIssue<unknown>): string {
  const field = `"${v.getDotPath(issue) ?? ""}"`;
  if (issue.received === "undefined") return `${field} is missing.`;
  if (issue.expected === "never") return `There is no field ${field}.`;
  const expected = issue.expected ?? issue.type;
  return issue.type.endsWith("_length")
    ? `${field} has a length of ${issue.received}; expected ${expected}.`
    : `${field}: expected ${expected}; found ${quoted(issue.input)}.`;
}

/** Its JSON, at most 60 characters of it. */
function quoted(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : `${beginningOf(json, 57)}…`;
}
