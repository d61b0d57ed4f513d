/**
 * Reader of Messages streams that goes by the `type` in the data. The library goes by the `event:` line and drops data
 * without one; some gateways omit that line, or separate it from the data by an empty line.
 */

import { APIError } from "@anthropic-ai/sdk/core/error";
import { Stream } from "@anthropic-ai/sdk/core/streaming";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { tryParseJson, listIn, member, stringField } from "../../core/json.ts";

/** Throws the service's errors as the library does, and malformed JSON as a `SyntaxError`. */
export async function* messageEvents(response: Response): AsyncGenerator<RawMessageStreamEvent, void> {
  for await (const { event, data } of Stream.rawEvents(response)) {
    // End marker of OpenAI streams, which some gateways append to every stream.
    if (data === "[DONE]") return;
    if (data === "" || event === "ping") continue;
    const parsed = tryParseJson(data);
    // LiteLLM reports an error in mid-stream in OpenAI's form.
    const isError = stringField(parsed, "type") === "error" || stringField(member(parsed, "error"), "message") !== "";
    if (event === "error" || isError) {
      throw new APIError(undefined, parsed ?? data, undefined, response.headers);
    }
    // Not validated here: readers check each field.
    yield (parsed ?? JSON.parse(data)) as RawMessageStreamEvent;
  }
}

/** Events equivalent to a message that was not streamed; `undefined` when `body` is no message. */
export function eventsOfWholeMessage(body: unknown): readonly RawMessageStreamEvent[] | undefined {
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
