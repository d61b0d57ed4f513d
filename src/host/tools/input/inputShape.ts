/** What a tool takes: its JSON Schema for the model, and a strict reading of what the model wrote. */

import { parseJson } from "../../../core/json.ts";
import { err, invariant, ok, type Result } from "../../../core/result.ts";
import { type Field, found, type Schema } from "./field.ts";

/** Values that were read by every field of their shape. */
export class InputValues {
  readonly #raw: ReadonlyMap<string, unknown>;

  constructor(raw: ReadonlyMap<string, unknown>) {
    this.#raw = raw;
  }

  /** The value of a field of the shape that these were read by. */
  get<T>(field: Field<T>): T {
    const read = field.read(this.#raw.get(field.name));
    invariant(read.ok, `the field ${field.name} was read before`);
    return read.value;
  }
}

/** The fields of one object. */
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
   * Reads what a model wrote as arguments. Nothing at all counts as `{}` only where no field is required, as some models
   * write it: a call that was cut off is never completed by guessing.
   */
  parse(inputJson: string): Result<InputValues, string> {
    const isNothing = inputJson.trim() === "" && !this.#fields.some(({ isRequired }) => isRequired);
    const parsed = parseJson(isNothing ? "{}" : inputJson);
    return parsed.ok ? this.read(parsed.value) : err(`The arguments are not whole JSON (${parsed.error}).`);
  }

  /** Reads an object; a field that the shape does not know is an error, for it was meant to do something. */
  read(value: unknown): Result<InputValues, string> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return err(`Expected an object; found ${found(value)}.`);
    }
    const raw = new Map<string, unknown>(Object.entries(value));
    const known = this.#fields.map(({ name }) => name);
    const unknown = [...raw.keys()].find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const takes = known.length === 0 ? "It takes none" : `It takes ${known.join(", ")}`;
      return err(`There is no field ${found(unknown)}. ${takes}.`);
    }
    for (const field of this.#fields) {
      const read = field.read(raw.get(field.name));
      if (!read.ok) return read;
    }
    return ok(new InputValues(raw));
  }
}
