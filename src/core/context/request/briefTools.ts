/**
 * Shorter definitions of tools for small windows. In full, Forge's own take 1,800 tokens: a third of the room in a window
 * of 8,192, where each compaction then frees little and the next one is soon due.
 */

import { beginningOf } from "../../cutText.ts";
import { isDeeplyNested, parseJson } from "../../json.ts";
import type { ToolDefinition } from "./requestOverhead.ts";

/** Tokens of a window from which on definitions are sent in full. */
const LEAST_FULL_WINDOW = 24_000;

/**
 * The definitions as they are sent in a window of this size: names, fields and types are always the same. `isUseless`: a
 * tool that works nowhere now is not worth its place in a small window; in a larger one its description says why.
 */
export function toolsForWindow(
  tools: readonly ToolDefinition[],
  contextWindow: number,
  isUseless: (name: string) => boolean = () => false,
): readonly ToolDefinition[] {
  if (contextWindow >= LEAST_FULL_WINDOW) return tools;
  return tools.filter(({ name }) => !isUseless(name)).map(briefTool);
}

function briefTool({ name, description, inputSchemaJson }: ToolDefinition): ToolDefinition {
  const schema = parseJson(inputSchemaJson);
  const isReadable = schema.ok && !isDeeplyNested(schema.value);
  return {
    name,
    description: firstSentence(description),
    inputSchemaJson: isReadable ? JSON.stringify(briefSchema(schema.value)) : inputSchemaJson,
  };
}

const LONGEST_DESCRIPTION_UNITS = 160;
const LONGEST_FIELD_UNITS = 80;
/** A shorter beginning, as in "With query: where to look", says too little. */
const SHORTEST_FIELD_UNITS = 14;

function firstSentence(text: string): string {
  const [sentence = ""] = text.split(/(?<=[.!?])\s|\n/, 1);
  return wordsWithin(sentence, LONGEST_DESCRIPTION_UNITS);
}

/** The beginning of a field's description, up to the first break that leaves enough. */
function firstClause(text: string): string {
  for (const { index } of text.matchAll(/[;:,.](?=\s|$)/g)) {
    if (index >= SHORTEST_FIELD_UNITS) return wordsWithin(text.slice(0, index), LONGEST_FIELD_UNITS);
  }
  return wordsWithin(text, LONGEST_FIELD_UNITS);
}

function wordsWithin(text: string, units: number): string {
  return text.length <= units ? text : beginningOf(text, units).replace(/\s+\S*$/, "");
}

/** Bounds are checked when a tool is called, and an error tells them. */
const CHECKED_AT_THE_CALL: ReadonlySet<string> = new Set([
  ...(["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] as const),
  ...(["additionalProperties", "default", "title", "examples"] as const),
]);

function briefSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(briefSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): (readonly [string, unknown])[] => {
      if (name === "properties") return [[name, briefProperties(value)]];
      if (name === "description" && typeof value === "string") return [[name, firstClause(value)]];
      if (name === "enum" || name === "const") return [[name, value]];
      const isDropped = CHECKED_AT_THE_CALL.has(name) || (Array.isArray(value) && value.length === 0);
      return isDropped ? [] : [[name, briefSchema(value)]];
    }),
  );
}

/** The names of fields are no keywords of the schema. */
function briefProperties(properties: unknown): unknown {
  if (typeof properties !== "object" || properties === null) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, briefSchema(value)]));
}
