/** Checks values against a JSON Schema of the keywords that are read here; any other keyword throws. */

export type Schema = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value. */
const NOTES: ReadonlySet<string> = new Set(["$schema", "$defs", "title", "description"]);

/** A rule returns what is wrong, or "". */
type Rule = (value: unknown, wanted: unknown) => string;

const RULES: Readonly<Record<string, Rule>> = {
  type: (value, wanted) => (typesOf(value).includes(String(wanted)) ? "" : `is no ${String(wanted)}`),
  const: (value, wanted) => (value === wanted ? "" : `is not ${JSON.stringify(wanted)}`),
  enum: (value, wanted) => (Array.isArray(wanted) && wanted.includes(value) ? "" : `is none of ${String(wanted)}`),
  minimum: (value, wanted) => (typeof value === "number" && value < Number(wanted) ? `is below ${String(wanted)}` : ""),
  maximum: (value, wanted) => (typeof value === "number" && value > Number(wanted) ? `is above ${String(wanted)}` : ""),
  minItems: (value, wanted) => (Array.isArray(value) && value.length < Number(wanted) ? "has too few items" : ""),
  maxItems: (value, wanted) => (Array.isArray(value) && value.length > Number(wanted) ? "has too many items" : ""),
  pattern: (value, wanted) =>
    typeof value === "string" && !new RegExp(String(wanted), "u").test(value) ? `is not like ${String(wanted)}` : "",
};

/** Collects faults of values, and the places of the schema that a value has fitted. */
export class SchemaCheck {
  readonly faults: string[] = [];
  readonly fitted = new Set<string>();
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  check(value: unknown): void {
    this.faults.push(...this.#faultsOf(this.#root, value, "document", "#"));
  }

  /** Places that can be fitted, without those of definitions that are only referred to. */
  places(schema: Schema = this.#root, at = "#"): readonly string[] {
    const below = Object.entries(schema).flatMap(([keyword, rule]): readonly string[] => {
      if (keyword === "properties" || keyword === "$defs") return this.#below(rule, `${at}/${keyword}`);
      if (keyword === "oneOf") return this.#below(rule, `${at}/oneOf`);
      return keyword === "items" ? this.places(rule as Schema, `${at}/items`) : [];
    });
    return [at, ...below];
  }

  #below(schemas: unknown, at: string): readonly string[] {
    return Object.entries(schemas as Readonly<Record<string, Schema>>).flatMap(([name, schema]) =>
      this.places(schema, `${at}/${name}`),
    );
  }

  #faultsOf(schema: Schema, value: unknown, path: string, at: string): readonly string[] {
    const faults = Object.entries(schema).flatMap(([keyword, wanted]): readonly string[] => {
      if (NOTES.has(keyword)) return [];
      const rule = RULES[keyword];
      if (rule !== undefined) {
        const fault = rule(value, wanted);
        return fault === "" ? [] : [`${path} ${fault}`];
      }
      return this.#nested(keyword, schema, { value, path, at });
    });
    if (faults.length === 0) this.fitted.add(at);
    return faults;
  }

  #nested(keyword: string, schema: Schema, { value, path, at }: Place): readonly string[] {
    const wanted = schema[keyword];
    const fields = isObject(value) ? value : {};
    switch (keyword) {
      case "$ref": {
        const name = String(wanted).replace("#/$defs/", "");
        const defined = (this.#root["$defs"] as Readonly<Record<string, Schema>>)[name];
        if (defined === undefined) throw new Error(`${String(wanted)} is not defined`);
        return this.#faultsOf(defined, value, path, `#/$defs/${name}`);
      }
      case "not":
        return new SchemaCheck(this.#root).#faultsOf(wanted as Schema, value, path, at).length > 0
          ? []
          : [`${path} is what it must not be`];
      case "oneOf": {
        const tried = (wanted as readonly Schema[]).map((one, index) => {
          const alone = new SchemaCheck(this.#root);
          return { faults: alone.#faultsOf(one, value, path, `${at}/oneOf/${String(index)}`), alone };
        });
        const fitting = tried.filter(({ faults }) => faults.length === 0);
        for (const { alone } of fitting) for (const place of alone.fitted) this.fitted.add(place);
        return fitting.length === 1 ? [] : [`${path} fits ${String(fitting.length)} of ${String(tried.length)}`];
      }
      case "items":
        if (!Array.isArray(value)) return [];
        return value.flatMap((item, index) =>
          this.#faultsOf(wanted as Schema, item, `${path}[${String(index)}]`, `${at}/items`),
        );
      case "required":
        return (wanted as readonly string[])
          .filter((name) => isObject(value) && !(name in fields))
          .map((name) => `${path}.${name} is missing`);
      case "properties":
        return Object.entries(wanted as Readonly<Record<string, Schema>>).flatMap(([name, of]) =>
          name in fields ? this.#faultsOf(of, fields[name], `${path}.${name}`, `${at}/properties/${name}`) : [],
        );
      case "additionalProperties": {
        if (wanted !== false) throw new Error("other fields are allowed or described, which is not read here");
        const known = Object.keys(schema["properties"] ?? {});
        return Object.keys(fields)
          .filter((name) => !known.includes(name))
          .map((name) => `${path}.${name} is unknown`);
      }
      default:
        throw new Error(`the keyword ${keyword} is not read here`);
    }
  }
}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly at: string;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return ["array"];
  if (value === null) return ["null"];
  if (typeof value === "number") return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [typeof value];
}
