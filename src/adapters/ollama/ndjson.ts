/** JSON lines from chunks of bytes that may end anywhere, even inside a character. */

import { tryParseJson } from "../../core/json.ts";

/** Longer lines do not come from a model server. */
const LONGEST_LINE_CHARS = 32_000_000;

/** Throws a `SyntaxError` for a line that is not JSON. An incomplete last line is dropped: the answer was cut there. */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end).trim();
      rest = rest.slice(end + 1);
      if (line !== "") yield JSON.parse(line);
    }
    if (rest.length > LONGEST_LINE_CHARS) throw new SyntaxError("a line of the answer has no end");
  }
  const last = tryParseJson(rest.trim());
  if (last !== undefined) yield last;
}
