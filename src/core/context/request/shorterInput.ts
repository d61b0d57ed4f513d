/** Inputs of tool calls that are too long to send whole: still JSON objects, as providers require. */

import { parseShallowJson } from "../../json.ts";
import { boundedUtf8Length, excerptText, fairLimitPerText, utf8Length } from "./excerpts.ts";

/**
 * `inputJson` in at most `bytes` of UTF-8: the same fields, with excerpts of long values around `where`; or one field
 * with an excerpt of all, where the names of the fields take most of the room; or no field at all.
 */
export function shorterInput(inputJson: string, bytes: number, where: string): string {
  if (boundedUtf8Length(inputJson, bytes + 1) <= bytes) return inputJson;
  const shorter = shorterFields(fieldsOf(inputJson), bytes, where) ?? shorterFields([["…", inputJson]], bytes, where);
  return shorter ?? "{}";
}

type Field = readonly [name: string, value: unknown];

function fieldsOf(inputJson: string): readonly Field[] {
  const parsed = parseShallowJson(inputJson);
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value)) return [];
  return Object.entries(parsed.value);
}

/** `undefined` if that takes more than `bytes`. */
function shorterFields(fields: readonly Field[], bytes: number, where: string): string | undefined {
  const frame = fields.reduce((sum, [name]) => sum + jsonLength(name) + FIELD_FRAME_BYTES, FIELD_FRAME_BYTES);
  if (fields.length === 0 || frame > bytes / 2) return undefined;
  const limit = fairLimitPerText(
    fields.map(([, value]) => jsonLength(value)),
    bytes - frame,
  );
  const shorter = fields.map(([name, value]): Field => {
    if (jsonLength(value) <= limit) return [name, value];
    return [name, shorterValue(typeof value === "string" ? value : JSON.stringify(value), limit, where)];
  });
  const json = JSON.stringify(Object.fromEntries(shorter));
  return utf8Length(json) <= bytes ? json : undefined;
}

/** Colon and comma, or the braces. */
const FIELD_FRAME_BYTES = 2;

/** Escapes make JSON up to six times as long as its text, so the excerpt is shortened until it fits. */
function shorterValue(text: string, bytes: number, where: string): string {
  const note = `\n${where}\n`;
  for (let most = bytes; most > 0;) {
    const excerpt = utf8Length(note) <= most ? excerptText(text, most, note) : utf8Length(where) <= most ? where : "";
    const length = jsonLength(excerpt);
    if (length <= bytes) return excerpt;
    most = Math.floor((most * bytes) / length) - 1;
  }
  return "";
}

function jsonLength(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
