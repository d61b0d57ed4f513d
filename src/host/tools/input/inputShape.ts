/** A tool's input: its JSON Schema for the model, and a strict parser. */

import { parseJson } from "../../../core/json.ts";
import { err, invariant, ok, type Result } from "../../../core/result.ts";
import { type Field, quoteValue, type Schema } from "./field.ts";

/** Values that have been validated by the shape's fields. */
export class InputValues {
  readonly #raw: ReadonlyMap<string, unknown>;

  constructor(raw: ReadonlyMap<string, unknown>) {
    this.#raw = raw;
  }

  /** `field` must be one of the shape's. */
  get<T>(field: Field<T>): T {
    const read = field.read(this.#raw.get(field.name));
    invariant(read.ok, `the field ${field.name} was read before`);
    return read.value;
  }
}

export class InputShape {
  readonly schema: Schema;
  readonly #fields: readonly Field<unknown>[];

  constructor(fields: readonly Field<unknown>[]) {
    this.#fields = fields;
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    this.schema = {
      type: "object",
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  /**
   * Parses the arguments of a call. An empty text counts as `{}` only where no field is required, as some models write
   * it: a truncated call is never completed by guessing.
   */
  parse(inputJson: string): Result<InputValues, string> {
    const isNothing = inputJson.trim() === "" && !this.#fields.some(({ isRequired }) => isRequired);
    const parsed = parseJson(isNothing ? "{}" : inputJson);
    return parsed.ok ? this.read(parsed.value) : err(`The arguments are not whole JSON (${parsed.error}).`);
  }

  /** An unknown field is an error: it was meant to do something. */
  read(value: unknown): Result<InputValues, string> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return err(`Expected an object; found ${quoteValue(value)}.`);
    }
    const raw = new Map<string, unknown>(Object.entries(value));
    const known = this.#fields.map(({ name }) => name);
    const unknown = [...raw.keys()].find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const takes = known.length === 0 ? "It takes none" : `It takes ${known.join(", ")}`;
      return err(`There is no field ${quoteValue(unknown)}. ${takes}.`);
    }
    for (const field of this.#fields) {
      const read = field.read(raw.get(field.name));
      if (!read.ok) return read;
    }
    return ok(new InputValues(raw));
  }
}
