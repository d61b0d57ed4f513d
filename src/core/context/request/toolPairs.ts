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
  const parts = message.parts.map((part): Part => (isStray(part) ? withoutCall(part) : part));
  return { ...message, parts };
}

function withoutCall(result: ToolResultPart): Part {
  return { kind: "attachment", label: "Result of a tool whose call is lost", text: result.text };
}

function callsIn({ parts }: Message): readonly ToolCallId[] {
  return parts.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : []));
}

function resultsIn({ parts }: Message): readonly ToolCallId[] {
  return parts.flatMap((part) => (part.kind === "toolResult" ? [part.callId] : []));
}

function interruptedResults(calls: readonly ToolCallId[]): Message {
  return { role: "user", parts: calls.map(interruptedResult) };
}

function interruptedResult(callId: ToolCallId): ToolResultPart {
  return { kind: "toolResult", callId, outcome: "interrupted", text: "Interrupted: there is no result." };
}

/**
 * The same for one message after the other, and stricter: the results of an answer are one message, in the order of its
 * calls and before all else.
 */
export class ToolPairs {
  #calls: readonly ToolCallId[] = [];
  readonly #results = new Map<ToolCallId, ToolResultPart>();
  #besides: Part[] = [];

  /** The messages that are complete with this one. */
  *add(message: Message): Generator<Message> {
    const parts = message.parts.map((part) => this.#taken(part, message));
    const others = parts.filter((part) => part !== undefined);
    if (others.length < parts.length) {
      this.#besides.push(...others);
      if (this.#results.size === this.#calls.length) yield* this.end();
      return;
    }
    yield* this.end();
    yield { ...message, parts: others };
    this.#calls = callsIn(message);
  }

  /** The results of the last calls, if any are missing. */
  *end(): Generator<Message> {
    if (this.#calls.length === 0) return;
    const results = this.#calls.map((id) => this.#results.get(id) ?? interruptedResult(id));
    yield { role: "user", parts: [...results, ...this.#besides] };
    this.#calls = [];
    this.#results.clear();
    this.#besides = [];
  }

  /** `undefined` for the result of an open call, which is held. */
  #taken(part: Part, { role }: Message): Part | undefined {
    if (part.kind !== "toolResult") return part;
    const isOpen = role === "user" && this.#calls.includes(part.callId) && !this.#results.has(part.callId);
    if (!isOpen) return withoutCall(part);
    this.#results.set(part.callId, part);
    return undefined;
  }
}
