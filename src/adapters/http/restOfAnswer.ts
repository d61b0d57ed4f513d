/** Events of an answer that goes on with the one at the end of its request, without what it repeats of that. */

import type { Message } from "../../core/message.ts";
import { Seam } from "../../core/stream/seam.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { answerAtEnd, type AnswerEnding } from "./continuation.ts";

export interface RestOfAnswer {
  readonly events: (event: StreamEvent) => readonly StreamEvent[];
}

/** `undefined` when the request ends with something else. */
export function restOfAnswer(
  messages: readonly Message[],
  ending: Pick<AnswerEnding, "how" | "forget">,
): RestOfAnswer | undefined {
  const answer = answerAtEnd(messages);
  if (answer === "") return undefined;
  const seam = new Seam(answer, ending.how);
  let isLearned = false;
  const told = (text: string): readonly StreamEvent[] => {
    if (seam.restarts && !isLearned && ending.how === "tried") ending.forget();
    isLearned ||= seam.restarts;
    return text === "" ? [] : [{ kind: "text", text }];
  };
  return {
    events: (event) => {
      switch (event.kind) {
        case "text":
          return told(seam.add(event.text));
        case "toolCallStart":
        case "textWasThinking":
        case "done":
        case "failed":
          return [...told(seam.end()), event];
        default:
          return [event];
      }
    },
  };
}
