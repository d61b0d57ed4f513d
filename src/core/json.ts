/** Reads untrusted JSON: no shape is assumed. */

import { thrownText } from "./errors.ts";
import { err, ok, type Result } from "./result.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** Ignores a byte order mark. The error is the parser's message, which quotes a few characters. */
export function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch (error) {
    return err(thrownText(error));
  }
}

/** Like {@link parseJson}, for what is written as JSON again: no deeper than {@link MOST_NESTING}. */
export function parseShallowJson(text: string): Result<unknown, string> {
  const parsed = parseJson(text);
  return parsed.ok && isDeeplyNested(parsed.value) ? err(`more than ${String(MOST_NESTING)} levels deep`) : parsed;
}

/** Most lists and objects inside each other. Whatever writes or compares values recursively manages some thousands. */
export const MOST_NESTING = 500;

export function isDeeplyNested(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MOST_NESTING && level.length > 0; depth++) {
    level = level.flatMap((each): readonly unknown[] =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return level.length > 0;
}

/** JSON of a value of any depth: what is deeper than {@link MOST_NESTING} becomes `null`, and `undefined` too. */
export function boundedJson(value: unknown): string {
  return JSON.stringify(isDeeplyNested(value) ? bounded(value, 0) : (value ?? null));
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MOST_NESTING) return null;
  if (Array.isArray(value)) return value.map((item) => bounded(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, bounded(field, depth + 1)]));
}

/** `undefined` when the text is not whole JSON. */
export function tryParseJson(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}

/** `undefined` when there is no such field, or no object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Empty when the field is missing or no string. */
export function stringField(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

/** 0 when the field is missing or no positive integer. */
export function countIn(value: unknown, name: string): number {
  const found = member(value, name);
  return typeof found === "number" && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

/** Empty when the field is missing or no list. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}
