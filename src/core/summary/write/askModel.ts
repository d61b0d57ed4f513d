/** One request to a summarizer: sends it, gathers the answer, and tells a failure of the service from a poor answer. */

import type { PreparedContext } from "../../context/request/preparedContext.ts";
import type { ForgeError } from "../../errors.ts";
import type { CancelSignal } from "../../cancellation.ts";
import type { Provider, StreamOptions } from "../../stream/provider.ts";
import { err, ok, type Result } from "../../result.ts";

/** What a provider streams, told from its port. */
type Streamed = ReturnType<Provider["stream"]> extends AsyncIterable<infer Event> ? Event : never;
type StopReason = Extract<Streamed, { kind: "done" }>["stopReason"];
type Usage = Extract<Streamed, { kind: "usage" }>["usage"];

/** What a model answered, good or not. */
export interface Answer {
  readonly text: string;
  readonly stopReason: StopReason;
  /** As billed; absent when the provider did not say. */
  readonly usage?: Usage;
  /** It was ended here, because it was too long already. */
  readonly isCutShort: boolean;
}

/** Who looks on while an answer is written. */
export interface Listener {
  /** Hears how long the answer is, in UTF-16 units. */
  readonly onLength: (units: number) => void;
  /** Whether it is too long to be used, whatever comes; it is ended then. */
  readonly isTooLong: (text: string) => boolean;
}

/** UTF-16 units for each token that was allowed; an answer beyond it comes from a model that runs in circles. */
const MOST_UNITS_PER_TOKEN = 12;

/**
 * Asks, and waits for the end of the answer. A refusal is an answer; everything else that the provider reports as an error
 * is the failure of the whole attempt. Aborting `cancel` ends it with `CANCELLED`.
 */
export async function askModel(
  provider: Provider,
  prepared: PreparedContext,
  options: StreamOptions,
  cancel: CancelSignal,
  { onLength, isTooLong }: Listener,
): Promise<Result<Answer, ForgeError>> {
  let text = "";
  let usage: Usage | undefined;
  const answer = (stopReason: StopReason, isCutShort = false): Result<Answer, ForgeError> =>
    ok({ text, stopReason, isCutShort, ...(usage === undefined ? {} : { usage }) });

  for await (const event of provider.stream(prepared, { ...options, purpose: "summary" }, cancel)) {
    if (cancel.aborted) return err({ code: "CANCELLED" });
    switch (event.kind) {
      case "text":
        text += event.text;
        onLength(text.length);
        if (text.length > options.maxOutputTokens * MOST_UNITS_PER_TOKEN) return answer("maxTokens", true);
        if (isTooLong(text)) return answer("endTurn", true);
        break;
      case "usage":
        usage = event.usage;
        break;
      case "done":
        return answer(event.stopReason);
      case "failed":
        return event.error.code === "REFUSED" ? answer("refusal") : err(event.error);
      default: // thinking, tool calls and pings are no part of notes
    }
  }
  if (cancel.aborted) return err({ code: "CANCELLED" });
  const detail = "the answer ended without an end";
  return err({ code: "SERVICE_UNAVAILABLE", provider: provider.name, reason: "cutOff", detail });
}
