/** The ids of tool calls: made unique in each answer that arrives, and as a service takes them in each request. */

import { fingerprint } from "../../core/history/sourceHash.ts";
import { toolCallId, type ToolCallId } from "../../core/ids.ts";
import type { Message, Part } from "../../core/message.ts";

/** Gives each call of one answer an id of its own. Services give several calls the same one, or none. */
export class CallIds {
  readonly #used = new Set<string>();

  /** The id of the next call; `given` is empty where it came with none. */
  next(given: string): ToolCallId {
    const base = given === "" ? `call_${String(this.#used.size)}` : given;
    let id = base;
    for (let copy = 2; this.#used.has(id); copy++) id = `${base}_${String(copy)}`;
    this.#used.add(id);
    return toolCallId(id);
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
    const base = wireId(part.callId);
    let callId = base;
    for (let copy = 2; used.has(callId); copy++) callId = wireId(toolCallId(`${base}_${String(copy)}`));
    used.add(callId);
    current.set(part.callId, callId);
    return { ...part, callId };
  };
  return messages.map((message) => ({ ...message, parts: message.parts.map(rename) }));
}

/** The longest that OpenAI's chat takes, in letters; others take longer ones. */
const LONGEST_CALL_ID = 40;

function usualId(id: ToolCallId): ToolCallId {
  const safe = id.replace(/[^\w-]/g, "_");
  if (safe.length > LONGEST_CALL_ID) return toolCallId(`call_${fingerprint(id)}`);
  return toolCallId(safe === "" ? "call" : safe);
}

function nineLetterId(id: ToolCallId): ToolCallId {
  return /^[a-z\d]{9}$/i.test(id) ? id : toolCallId(fingerprint(id).slice(0, 9));
}
