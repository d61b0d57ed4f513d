/** A field of a tool's input: its JSON Schema for the model, and the matching parser. */

import { err, ok, type Result } from "../../../core/result.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface Field<T> {
  readonly name: string;
  readonly schema: Schema;
  /** False: may be missing or null. */
  readonly isRequired: boolean;
  /** The error says what was expected and found. */
  read(value: unknown): Result<T, string>;
}

/** A value for an error message, shortened. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`;
}

/** From `least` (0 by default) to `most` UTF-16 units. */
export function textField(name: string, description: string, { least = 0, most }: TextLimits): Field<string> {
  return {
    name,
    schema: { type: "string", description, ...(least > 0 ? { minLength: least } : {}) },
    isRequired: true,
    read: (value) => {
      if (typeof value !== "string") return err(`"${name}" must be a text; found ${quoteValue(value)}.`);
      if (value.length < least) return err(`"${name}" must not be empty.`);
      if (value.length > most) return err(`"${name}" is ${value.length} characters long; at most ${most} are taken.`);
      return ok(value);
    },
  };
}

/** In UTF-16 units. */
export interface TextLimits {
  readonly least?: number;
  readonly most: number;
}

export function integerField(
  name: string,
  description: string,
  { least, most }: { readonly least: number; readonly most: number },
): Field<number> {
  return {
    name,
    schema: { type: "integer", description, minimum: least, maximum: most },
    isRequired: true,
    read: (value) => {
      const isFit = typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
      return isFit
        ? ok(value)
        : err(`"${name}" must be a whole number from ${least} to ${most}; found ${quoteValue(value)}.`);
    },
  };
}

export function booleanField(name: string, description: string): Field<boolean> {
  return {
    name,
    schema: { type: "boolean", description },
    isRequired: true,
    read: (value) =>
      typeof value === "boolean" ? ok(value) : err(`"${name}" must be true or false; found ${quoteValue(value)}.`),
  };
}

export function enumField<T extends string>(name: string, description: string, choices: readonly T[]): Field<T> {
  return {
    name,
    schema: { type: "string", description, enum: choices },
    isRequired: true,
    read: (value) => {
      const choice = choices.find((candidate) => candidate === value);
      return choice === undefined
        ? err(`"${name}" must be one of ${choices.join(", ")}; found ${quoteValue(value)}.`)
        : ok(choice);
    },
  };
}

/** From 1 to `most` entries; `item` is the schema of one, and `read` parses one. */
export function listField<T>(
  name: string,
  description: string,
  list: { readonly most: number; readonly item: Schema; readonly read: (value: unknown) => Result<T, string> },
): Field<readonly T[]> {
  return {
    name,
    schema: { type: "array", description, minItems: 1, maxItems: list.most, items: list.item },
    isRequired: true,
    read: (value) => {
      if (!Array.isArray(value)) return err(`"${name}" must be a list; found ${quoteValue(value)}.`);
      if (value.length < 1 || value.length > list.most) {
        return err(`"${name}" must have from 1 to ${list.most} entries; found ${value.length}.`);
      }
      const entries: T[] = [];
      for (const [index, entry] of value.entries()) {
        const read = list.read(entry);
        if (!read.ok) return err(`Entry ${index} of "${name}": ${read.error}`);
        entries.push(read.value);
      }
      return ok(entries);
    },
  };
}

/** The same field, which may be missing. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    name: field.name,
    schema: field.schema,
    isRequired: false,
    read: (value) => (value === undefined || value === null ? ok(undefined) : field.read(value)),
  };
}
