/** Tool call ids: made unique in each received answer, and acceptable to the service in each request. */

import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import { fingerprint } from "../../core/history/summaries/sourceHash.ts";
import { toolCallId, unusedCallId, type ToolCallId } from "../../core/ids.ts";
import type { Message, Part } from "../../core/message.ts";
import { wirePicture } from "./pictures.ts";

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
 * unique only within its assistant message. Valid ids stay; an invalid one always maps to the same new id. Names of
 * tools consist of the same characters. Pictures that no service takes become text.
 */
export function withWireCallIds(messages: readonly Message[], callIds: CallIdRule = "usual"): readonly Message[] {
  const wire = new WireParts(callIds);
  return messages.map((message) => wire.message(message));
}

/** The same for one message after the other. */
export class WireParts {
  readonly #wireId: (id: string) => ToolCallId;
  readonly #used = new Set<string>();
  /** Last number of each id that is used again. */
  readonly #copies = new Map<string, number>();
  readonly #current = new Map<ToolCallId, ToolCallId>();

  constructor(callIds: CallIdRule = "usual") {
    this.#wireId = callIds === "nine" ? nineLetterId : usualId;
  }

  message({ parts, ...rest }: Message): Message {
    return { ...rest, parts: parts.map((part) => this.#part(part)) };
  }

  #part(part: Part): Part {
    if (part.kind === "image") return wirePicture(part);
    if (part.kind === "toolResult")
      return { ...part, callId: this.#current.get(part.callId) ?? this.#wireId(part.callId) };
    if (part.kind !== "toolCall") return part;
    const callId = this.#unused(this.#wireId(part.callId));
    this.#current.set(part.callId, callId);
    return { ...part, callId, name: wireToolName(part.name) };
  }

  /** The first of `base`, `base_2`, … that no call has. */
  #unused(base: ToolCallId): ToolCallId {
    let copy = this.#copies.get(base) ?? 1;
    let id = base;
    while (this.#used.has(id)) id = this.#wireId(`${base}_${String(++copy)}`);
    this.#copies.set(base, copy);
    this.#used.add(id);
    return id;
  }
}

/** A name that services accept: tools of other programs have dots and blanks in theirs. */
function wireToolName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, LONGEST_TOOL_NAME) || "tool";
}

/** Definitions by the names of their calls in a request, each name once. */
export function withWireNames(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const named = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    const name = wireToolName(tool.name);
    if (!named.has(name)) named.set(name, { ...tool, name });
  }
  return [...named.values()];
}

/** Limit of OpenAI, in characters. */
const LONGEST_TOOL_NAME = 64;

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
