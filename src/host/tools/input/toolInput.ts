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

/**
 * The JSON Schema for the model, without the greatest lengths, which {@link parseInput} checks: llama.cpp makes a grammar
 * of the schema, and refuses the whole request for some of them (2,000).
 */
export function inputSchemaJson(schema: InputSchema): string {
  return JSON.stringify({ ...toJsonSchema(schema), $schema: undefined }, (name, value: unknown) =>
    MOST.has(name) && typeof value === "number" ? undefined : value,
  );
}

const MOST: ReadonlySet<string> = new Set(["maxLength", "maxItems"]);

/** Rewrites the fields of one tool's arguments. */
export type TakeInstead = (given: Fields) => Fields;

type Fields = Readonly<Record<string, unknown>>;
type FieldsOf = Pick<InputSchema, "entries">;

/**
 * Parses what a model wrote as arguments. No text at all counts as `{}` only where no field is required, as some models
 * write it: truncated arguments are never completed. Null counts as left out, and a value in another shape is taken
 * where it can mean one thing only. The error is for the model.
 */
export function parseInput<Schema extends InputSchema>(
  schema: Schema,
  inputJson: string,
  takeInstead: TakeInstead = (given) => given,
): Result<v.InferOutput<Schema>, string> {
  const isEmpty = inputJson.trim() === "" && v.is(schema, {});
  const json = parseJson(isEmpty ? "{}" : inputJson);
  if (!json.ok) return err(`The arguments are not whole JSON (${json.error}).`);
  const given = unpacked(json.value, isRecord);
  if (!isRecord(given)) return err(`Expected an object; found ${quoted(json.value)}.`);
  const fields = takeInstead(meant(schema, given));
  const names = Object.keys(schema.entries);
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return err(
      `There is no field ${quoted(unknown)}. ${names.length === 0 ? "It takes none" : `It takes ${names.join(", ")}`}.`,
    );
  }
  const parsed = v.safeParse(schema, fields, { abortEarly: true });
  return parsed.success ? ok(parsed.output) : err(issueText(parsed.issues[0]));
}

/** The fields in the shapes of the schema; a value that could mean something else stays as it is. */
function meant({ entries }: FieldsOf, given: Fields): Fields {
  return Object.fromEntries(
    Object.entries(withKnownNames(entries, given)).flatMap(([name, field]): [string, unknown][] => {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (field === null || (entry !== undefined && isOptional(entry) && isBlank(field) && !v.is(entry, field)))
        return [];
      return [[name, entry === undefined ? field : meantValue(entry, field)]];
    }),
  );
}

function meantValue(schema: v.GenericSchema, value: unknown): unknown {
  if (isOptional(schema)) return meantValue(schema.wrapped, value);
  if (isList(schema)) {
    const list = unpacked(value, (packed) => Array.isArray(packed) || isRecord(packed));
    const items = isRecord(list) ? [list] : list;
    return Array.isArray(items) ? items.map((item: unknown) => meantValue(schema.item, item)) : items;
  }
  if (isObject(schema)) {
    const fields = unpacked(value, isRecord);
    return isRecord(fields) ? meant(schema, fields) : fields;
  }
  if (typeof value !== "string") return value;
  const written = value.trim();
  if (schema.type === "number" && /^-?\d{1,15}(?:\.0{1,9})?$/.test(written)) return Number(written);
  if (schema.type === "boolean" && /^(?:true|false)$/i.test(written)) return written.toLowerCase() === "true";
  return value;
}

/** The value that a text holds as JSON, where it is `wanted`. */
function unpacked(value: unknown, wanted: (packed: unknown) => boolean): unknown {
  if (typeof value !== "string") return value;
  const packed = parseJson(value);
  return packed.ok && wanted(packed.value) ? packed.value : value;
}

/** `startLine` is `start_line`, where that is not given too. */
function withKnownNames(entries: v.ObjectEntries, given: Fields): Fields {
  const plain = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();
  const known = new Map(Object.keys(entries).map((name) => [plain(name), name]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const meantName = known.get(plain(name)) ?? name;
      return [Object.hasOwn(given, meantName) ? name : meantName, value];
    }),
  );
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

type OptionalSchema = v.OptionalSchema<v.GenericSchema, undefined>;

function isOptional(schema: v.GenericSchema): schema is OptionalSchema {
  return schema.type === "optional";
}

function isList(schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> {
  return schema.type === "array";
}

function isObject(schema: v.GenericSchema): schema is InputSchema {
  return schema.type === "strict_object";
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
