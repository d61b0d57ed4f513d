/** Reading requests of any shape, and cutting answers into pieces: what the protocols share. */

import type { Answer } from "./script.ts";

/** A field of a value of any kind. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A field that is a list; empty where it is none. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

/** A field that is text; empty where it is none. */
export function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

/** Splits as an answer wants it, never inside a character. */
export function pieces(text: string, { chunkChars = 12, emptyPieces = false }: Answer): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / chunkChars);
  const filled = Array.from({ length: count }, (_, index) =>
    characters.slice(index * chunkChars, (index + 1) * chunkChars).join(""),
  );
  return emptyPieces ? ["", ...filled.flatMap((piece) => [piece, ""])] : filled;
}

/** A rough count, good enough to refuse what is far too large and to bill the rest. */
export function estimateTokens(value: unknown): number {
  return Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
}

/** The newest text of the user among the messages in `listName`, whose parts of text are of type `partType`. */
export function lastUserText(body: unknown, listName: string, partType: string): string {
  const last = list(body, listName).findLast((message) => text(message, "role") === "user");
  const content = member(last, "content");
  if (typeof content === "string") return content;
  return text(
    list(last, "content").findLast((part) => text(part, "type") === partType),
    "text",
  );
}
