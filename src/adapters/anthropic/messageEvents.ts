/**
 * The events of a Messages stream, by the type that each says of itself. The library goes by the lines that name them, which
 * gateways leave out, or part from them by an empty line, and passes over what has none.
 */

import { APIError } from "@anthropic-ai/sdk/core/error";
import { Stream } from "@anthropic-ai/sdk/core/streaming";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { jsonIn } from "../../core/json.ts";
import { textIn } from "../../core/stream/jsonFields.ts";

/** Yields them. What the service says of an error is thrown as the library throws it; what is no JSON, as a `SyntaxError`. */
export async function* messageEvents(response: Response): AsyncGenerator<RawMessageStreamEvent, void> {
  for await (const { event, data } of Stream.rawEvents(response)) {
    // The end of OpenAI's streams, which some gateways put behind those of others as well.
    if (data === "[DONE]") return;
    if (data === "" || event === "ping") continue;
    const said = jsonIn(data);
    if (event === "error" || textIn(said, "type") === "error") {
      throw new APIError(undefined, said ?? data, undefined, response.headers);
    }
    // What there is in it is looked at where it is read.
    yield (said ?? JSON.parse(data)) as RawMessageStreamEvent;
  }
}
