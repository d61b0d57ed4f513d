/** JSON lines from chunks of bytes that may end anywhere, even inside a character. */

import { member, tryParseJson } from "../../core/json.ts";

/** Whether the first line is a part of an answer, and not the last one. */
export function readsAsLines(start: string): boolean | undefined {
  const begun = start.trimStart();
  const end = begun.indexOf("\n");
  if (end === -1) return begun === "" || begun.startsWith("{") ? undefined : false;
  const first = tryParseJson(begun.slice(0, end));
  return typeof member(first, "message") === "object" && member(first, "done") !== true;
}

/** Throws a `SyntaxError` for a line that is not JSON. An incomplete last line is dropped: the answer was cut there. */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder("utf-8");
  /** Pieces of the current line. */
  let pieces: string[] = [];
  for await (const bytes of body) {
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    pieces.push(first);
    for (const other of others) {
      const line = pieces.join("").trim();
      if (line !== "") yield JSON.parse(line);
      pieces = [other];
    }
  }
  const last = tryParseJson(pieces.join("").trim());
  if (last !== undefined) yield last;
}
