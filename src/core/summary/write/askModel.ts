/** Sends one request to a summarizer, collects the answer, and tells provider failures from poor answers. */

import type { PreparedContext } from "../../context/request/preparedContext.ts";
import type { ForgeError } from "../../errors.ts";
import type { CancelSignal } from "../../cancellation.ts";
import { LoopDetector } from "../../repetition/loopDetector.ts";
import type { Provider, StreamOptions } from "../../stream/provider.ts";
import { err, ok, type Result } from "../../result.ts";

type Streamed = ReturnType<Provider["stream"]> extends AsyncIterable<infer Event> ? Event : never;
type StopReason = Extract<Streamed, { kind: "done" }>["stopReason"];
type Usage = Extract<Streamed, { kind: "usage" }>["usage"];

export interface Answer {
  readonly text: string;
  readonly stopReason: StopReason;
  /** As billed; absent when the provider did not report it. */
  readonly usage?: Usage;
  /** Stopped here because it was already too long, or repeated itself. */
  readonly isCutShort: boolean;
  /** The model repeated itself, and would do so if it were asked the same again. */
  readonly isLoop: boolean;
}

export interface StreamObserver {
  /** Called with the current length of the answer in UTF-16 units. */
  readonly onLength: (units: number) => void;
  /** Whether the answer is too long to be used, whatever follows; the stream is stopped then. */
  readonly isTooLong: (text: string) => boolean;
}

/** UTF-16 units per allowed token; a longer answer is one that does not end. */
const MOST_UNITS_PER_TOKEN = 12;

/** Notes have no data that rightly repeats. */
const NOTES = { everywhere: true };
/** UTF-16 units of a loop in an answer that was cut off. */
const SHORTEST_LOOP_UNITS = 200;

/** A refusal is an answer; other provider errors are returned. Aborting `cancel` gives `CANCELLED`. */
export async function askModel(
  provider: Provider,
  prepared: PreparedContext,
  options: StreamOptions,
  cancel: CancelSignal,
  { onLength, isTooLong }: StreamObserver,
): Promise<Result<Answer, ForgeError>> {
  let text = "";
  let usage: Usage | undefined;
  let written = new LoopDetector(NOTES);
  let thought = new LoopDetector(NOTES);
  const answer = (stopReason: StopReason, isCutShort = false, isLoop = false): Result<Answer, ForgeError> =>
    ok({ text, stopReason, isCutShort, isLoop, ...(usage === undefined ? {} : { usage }) });

  for await (const event of provider.stream(prepared, { ...options, purpose: "summary" }, cancel)) {
    if (cancel.aborted) return err({ code: "CANCELLED" });
    switch (event.kind) {
      case "text":
        text += event.text;
        onLength(text.length);
        written.push(event.text);
        if (written.current !== undefined) return answer("endTurn", true, true);
        if (text.length > options.maxOutputTokens * MOST_UNITS_PER_TOKEN) return answer("maxTokens", true);
        if (isTooLong(text)) return answer("endTurn", true, endsWithLoop(text));
        break;
      case "thinking":
        thought.push(event.text);
        if (thought.current !== undefined) return answer("endTurn", true, true);
        break;
      case "textWasThinking":
        text = "";
        [thought, written] = [written, new LoopDetector(NOTES)];
        break;
      case "usage":
        usage = event.usage;
        break;
      case "done":
        return answer(event.stopReason, false, event.stopReason === "maxTokens" && endsWithLoop(text));
      case "failed":
        return event.error.code === "REFUSED" ? answer("refusal") : err(event.error);
      default: // tool calls and pings are not part of the notes
    }
  }
  if (cancel.aborted) return err({ code: "CANCELLED" });
  const detail = "the answer ended without an end";
  return err({ code: "SERVICE_UNAVAILABLE", provider: provider.name, reason: "cutOff", detail });
}

/** True when an answer that was cut off would have gone on as a loop. */
function endsWithLoop(text: string): boolean {
  const detector = new LoopDetector({ ...NOTES, leastUnits: SHORTEST_LOOP_UNITS });
  detector.push(text);
  return detector.current !== undefined;
}
