/**
 * The events of a stream of OpenAI's. The library keeps its last one to itself, which alone tells with some servers an answer
 * that has ended from one that was cut; and stumbles over an event of which an empty line parted the name.
 */

import { APIError } from "openai/core/error";
import { _iterSSEMessages as rawEvents } from "openai/core/streaming";
import { tryParseJson, member } from "../../core/json.ts";

/**
 * Yields them; `ended` is called where the server says that there are no more. What it says of an error is thrown as the
 * library throws it; what is no JSON, as a `SyntaxError`. `live` aborts the request.
 */
export async function* serverEvents(
  response: Response,
  live: AbortController,
  ended: () => void,
): AsyncGenerator<unknown, void> {
  for await (const { event, data, raw } of rawEvents(response, live)) {
    const beside = errorBeside(raw);
    if (beside !== undefined) throw new APIError(undefined, beside, undefined, response.headers);
    if (data.trim() === "[DONE]") {
      ended();
      return;
    }
    if (data === "") continue;
    const said = tryParseJson(data);
    const error = member(said, "error") ?? (event === "error" ? (said ?? data) : undefined);
    if (isTold(error)) throw new APIError(undefined, error, undefined, response.headers);
    yield said ?? JSON.parse(data);
  }
}

/** Until 2025 llama.cpp said what broke an answer off in a field of its own, of which the standard knows nothing. */
function errorBeside(lines: readonly string[]): object | string | undefined {
  const line = lines.find((each) => each.startsWith("error:"));
  const told = line?.slice("error:".length).trim();
  const said = tryParseJson(told ?? "");
  return isTold(said) ? said : told;
}

/** Some servers tell of every event that there was none. */
function isTold(error: unknown): error is object | string {
  return typeof error === "string" ? error !== "" : typeof error === "object" && error !== null;
}
