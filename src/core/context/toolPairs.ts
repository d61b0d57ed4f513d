/** A provider refuses a tool call without its result. A call that a crash or a stop left open gets one that says so. */

import type { ToolCallId } from "../ids.ts";
import type { Message, Part, ToolResultPart } from "../message.ts";

/** The same messages, with a result behind every call. Messages whose calls are all answered stay the same objects. */
export function withWholeToolBatches(messages: readonly Message[]): readonly Message[] {
  const whole: Message[] = [];
  let open: readonly ToolCallId[] = [];
  for (const message of messages) {
    const answered = resultsIn(message);
    if (answered.length === 0 && open.length > 0) {
      whole.push(interruptedResults(open));
      open = [];
    }
    whole.push(message);
    open = [...open.filter((id) => !answered.includes(id)), ...callsIn(message)];
  }
  if (open.length > 0) whole.push(interruptedResults(open));
  return whole;
}

function callsIn({ parts }: Message): readonly ToolCallId[] {
  return parts.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : []));
}

function resultsIn({ parts }: Message): readonly ToolCallId[] {
  return parts.flatMap((part) => (part.kind === "toolResult" ? [part.callId] : []));
}

function interruptedResults(calls: readonly ToolCallId[]): Message {
  const result = (callId: ToolCallId): ToolResultPart => ({
    kind: "toolResult",
    callId,
    outcome: "interrupted",
    text: "Interrupted: there is no result.",
  });
  const parts: readonly Part[] = calls.map(result);
  return { role: "user", parts };
}
