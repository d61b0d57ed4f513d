/** Helpers shared by the protocols: reading requests of any shape, and splitting answers. */

import type { Answer } from "./script.ts";

/** A field of an unknown value. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A field of type array; empty if it is not one. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

/** A field of type string; "" if it is not one. */
export function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

/** Splits a text into pieces of `chunkChars` characters, never within a character. */
export function pieces(text: string, { chunkChars = 12, emptyPieces = false }: Answer): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / chunkChars);
  const filled = Array.from({ length: count }, (_, index) =>
    characters.slice(index * chunkChars, (index + 1) * chunkChars).join(""),
  );
  return emptyPieces ? ["", ...filled.flatMap((piece) => [piece, ""])] : filled;
}

/** Rough token count (4 characters each): enough to refuse what is far too large and to bill the rest. */
export function estimateTokens(value: unknown): number {
  return Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
}

/** The user's newest text in the messages of `listName`, whose text parts have type `partType`. */
export function lastUserText(body: unknown, listName: string, partType: string): string {
  const last = list(body, listName).findLast((message) => text(message, "role") === "user");
  const content = member(last, "content");
  if (typeof content === "string") return content;
  return text(
    list(last, "content").findLast((part) => text(part, "type") === partType),
    "text",
  );
}
