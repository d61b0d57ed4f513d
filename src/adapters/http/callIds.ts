/** The ids of tool calls: made unique in each answer that arrives, and as a service takes them in each request. */

import { fingerprint } from "../../core/history/summaries/sourceHash.ts";
import { toolCallId, unusedCallId, type ToolCallId } from "../../core/ids.ts";
import type { Message, Part } from "../../core/message.ts";

/** Gives each call of one answer an id of its own. Services give several calls the same one, or none. */
export class CallIds {
  readonly #used = new Set<string>();

  /** The id of the next call; `given` is empty where it came with none. */
  next(given: string): ToolCallId {
    return unusedCallId(given === "" ? `call_${String(this.#used.size)}` : given, this.#used);
  }
}

/** Which ids of calls a service takes: those of most services, or, as Mistral has it, only nine letters and digits. */
export type CallIdRule = "usual" | "nine";

/**
 * The same messages with call ids that are unique in the whole request and of letters, digits, `_` and `-`: services ask
 * for that, while an id of ours is unique only within its assistant message. Ids that are fine already stay as they are; one
 * that the service would not take becomes another that is always the same.
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

/** The longest that OpenAI's chat takes, in letters; others take longer ones. */
const LONGEST_CALL_ID = 40;

function usualId(id: string): ToolCallId {
  const safe = id.replace(/[^\w-]/g, "_");
  if (safe.length > LONGEST_CALL_ID) return toolCallId(`call_${fingerprint(id)}`);
  return toolCallId(safe === "" ? "call" : safe);
}

function nineLetterId(id: string): ToolCallId {
  return /^[a-z\d]{9}$/i.test(id) ? toolCallId(id) : toolCallId(fingerprint(id).slice(0, 9));
}
