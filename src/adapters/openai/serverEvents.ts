/**
 * Reader of OpenAI's event streams. The library consumes the end marker, which for some servers alone tells a complete
 * answer from a cut one, and fails on an event whose name is separated from its data by an empty line.
 */

import { APIError } from "openai/core/error";
import { _iterSSEMessages as rawEvents } from "openai/core/streaming";
import { tryParseJson, member, stringField } from "../../core/json.ts";
import { errorIn } from "../http/errorBody.ts";

/**
 * Calls `ended` at the server's end marker. Throws the server's errors as the library does, and malformed JSON as a
 * `SyntaxError`. `live` aborts the request.
 */
export async function* serverEvents(
  response: Response,
  live: AbortController,
  onEnd: () => void,
): AsyncGenerator<unknown, void> {
  for await (const { event, data, raw } of rawEvents(response, live)) {
    const fieldError = errorField(raw);
    if (fieldError !== undefined) throw new APIError(undefined, { error: fieldError }, undefined, response.headers);
    if (data.trim() === "[DONE]") {
      onEnd();
      return;
    }
    if (data === "") continue;
    const said = tryParseJson(data);
    if (event === "error" || isErrorValue(member(said, "error")) || isFailedResponse(said)) {
      throw new APIError(undefined, said ?? { error: data }, undefined, response.headers);
    }
    yield said ?? JSON.parse(data);
  }
}

/** Until 2025 llama.cpp sent errors in a non-standard `error:` field of the event stream. */
function errorField(lines: readonly string[]): object | string | undefined {
  const line = lines.find((each) => each.startsWith("error:"));
  const told = line?.slice("error:".length).trim();
  const said = tryParseJson(told ?? "");
  return isErrorValue(said) ? said : told;
}

/** MiniMax ends a stream with a status of its own; vLLM and DashScope do not wrap an error. */
function isFailedResponse(said: unknown): boolean {
  if (member(said, "choices") !== undefined || stringField(said, "type").startsWith("response.")) return false;
  return stringField(said, "type") === "error" ? false : errorIn(said) !== undefined;
}

/** Some servers send an empty error with every event. */
function isErrorValue(error: unknown): error is object | string {
  return typeof error === "string" ? error !== "" : typeof error === "object" && error !== null;
}
