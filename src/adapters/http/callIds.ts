/** Tool call ids: made unique in each received answer, and acceptable to the service in each request. */

import { fingerprint } from "../../core/history/summaries/sourceHash.ts";
import { toolCallId, unusedCallId, type ToolCallId } from "../../core/ids.ts";
import type { Message, Part } from "../../core/message.ts";

/** Unique ids for the calls of one answer. Services repeat ids, or send none. */
export class CallIds {
  readonly #used = new Set<string>();

  /** `given` is empty when the call has no id. */
  next(given: string): ToolCallId {
    return unusedCallId(given === "" ? `call_${String(this.#used.size)}` : given, this.#used);
  }
}

/** Id format that a service accepts: `nine` is Mistral's, exactly nine letters and digits. */
export type CallIdRule = "usual" | "nine";

/**
 * Makes call ids unique in the whole request and of letters, digits, `_` and `-`, as services require; an id of ours is
 * unique only within its assistant message. Valid ids stay; an invalid one always maps to the same new id.
 */
export function withWireCallIds(messages: readonly Message[], callIds: CallIdRule = "usual"): readonly Message[] {
  const used = new Set<string>();
  const current = new Map<ToolCallId, ToolCallId>();
  const wireId = callIds === "nine" ? nineLetterId : usualId;
  const rename = (part: Part): Part => {
    if (part.kind === "toolResult") return { ...part, callId: current.get(part.callId) ?? wireId(part.callId) };
    if (part.kind !== "toolCall") return part;
    const callId = unusedCallId(wireId(part.callId), used, wireId);
    current.set(part.callId, callId);
    return { ...part, callId };
  };
  return messages.map((message) => ({ ...message, parts: message.parts.map(rename) }));
}

/** Limit of OpenAI's chat, in characters; other services allow longer ids. */
const LONGEST_CALL_ID = 40;

function usualId(id: string): ToolCallId {
  const safe = id.replace(/[^\w-]/g, "_");
  if (safe.length > LONGEST_CALL_ID) return toolCallId(`call_${fingerprint(id)}`);
  return toolCallId(safe === "" ? "call" : safe);
}

function nineLetterId(id: string): ToolCallId {
  return /^[a-z\d]{9}$/i.test(id) ? toolCallId(id) : toolCallId(fingerprint(id).slice(0, 9));
}
