/**
 * Providers refuse a tool call without its result, and a result without its call. A call left open by a crash or a stop
 * gets a result that says so; a result whose call is lost is sent as an attachment.
 */

import type { ToolCallId } from "../../ids.ts";
import type { Message, Part, ToolResultPart } from "../../message.ts";

/** `messages` with a result after every call, and none without. Messages that need no change stay the same objects. */
export function withPairedToolCalls(messages: readonly Message[]): readonly Message[] {
  const whole: Message[] = [];
  let open: readonly ToolCallId[] = [];
  let lastCallIds: readonly ToolCallId[] = [];
  for (const given of messages) {
    if (given.role === "assistant") lastCallIds = callsIn(given);
    const message = withoutStrayResults(given, lastCallIds);
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

function withoutStrayResults(message: Message, lastCallIds: readonly ToolCallId[]): Message {
  const isStray = (part: Part): part is ToolResultPart =>
    part.kind === "toolResult" && !lastCallIds.includes(part.callId);
  if (!message.parts.some(isStray)) return message;
  const parts = message.parts.map((part): Part =>
    isStray(part) ? { kind: "attachment", label: LOST_CALL, text: part.text } : part,
  );
  return { ...message, parts };
}

const LOST_CALL = "Result of a tool whose call is lost";

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
