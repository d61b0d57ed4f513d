/** Reading JSON that somebody else wrote. */

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
