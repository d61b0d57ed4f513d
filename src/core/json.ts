/** Reading JSON that somebody else wrote: nothing is believed of its shape. */

import { thrownText } from "./errors.ts";
import { err, ok, type Result } from "./result.ts";

/** Parses a text; the error is what the parser says of it, and quotes a few characters. */
export function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(thrownText(error));
  }
}

/** The value that a text holds; `undefined` where it is not whole JSON. */
export function jsonIn(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}

/** A field of an object; `undefined` where there is none, or no object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A field that holds text; empty where it holds anything else. */
export function textIn(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

/** A field that holds a count, 0 or more; 0 where it holds anything else. */
export function countIn(value: unknown, name: string): number {
  const found = member(value, name);
  return typeof found === "number" && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

/** A field that holds a list; empty where it holds anything else. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}
