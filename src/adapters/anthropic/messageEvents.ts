/**
 * The events of a Messages stream, by the type that each says of itself. The library goes by the lines that name them, which
 * gateways leave out, or part from them by an empty line, and passes over what has none.
 */

import { APIError } from "@anthropic-ai/sdk/core/error";
import { Stream } from "@anthropic-ai/sdk/core/streaming";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { tryParseJson, listIn, member, stringField } from "../../core/json.ts";

/** Yields them. What the service says of an error is thrown as the library throws it; what is no JSON, as a `SyntaxError`. */
export async function* messageEvents(response: Response): AsyncGenerator<RawMessageStreamEvent, void> {
  for await (const { event, data } of Stream.rawEvents(response)) {
    // The end of OpenAI's streams, which some gateways put behind those of others as well.
    if (data === "[DONE]") return;
    if (data === "" || event === "ping") continue;
    const said = tryParseJson(data);
    // LiteLLM tells what broke an answer off in OpenAI's form.
    const isError = stringField(said, "type") === "error" || stringField(member(said, "error"), "message") !== "";
    if (event === "error" || isError) {
      throw new APIError(undefined, said ?? data, undefined, response.headers);
    }
    // What there is in it is looked at where it is read.
    yield (said ?? JSON.parse(data)) as RawMessageStreamEvent;
  }
}

/** The events that would have said the same as a message that came as a whole; `undefined` where `body` is none. */
export function wholeMessage(body: unknown): readonly RawMessageStreamEvent[] | undefined {
  if (stringField(body, "type") !== "message") return undefined;
  const blocks = listIn(body, "content").flatMap((content_block, index) => [
    { type: "content_block_start", index, content_block },
    { type: "content_block_stop", index },
  ]);
  const delta = { stop_reason: member(body, "stop_reason") };
  const ending = [{ type: "message_delta", delta, usage: member(body, "usage") }, { type: "message_stop" }];
  const events: readonly unknown[] = [{ type: "message_start", message: body }, ...blocks, ...ending];
  return events as readonly RawMessageStreamEvent[];
}
