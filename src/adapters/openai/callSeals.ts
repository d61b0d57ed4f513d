/**
 * Google's models seal what they thought before a tool call, and from the third Gemini on refuse the call without it
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). Calls of other models are told apart by a word of Google's
 * own. OpenRouter has a form of its own for both.
 */

import { toolCallId, type ModelId, type ToolCallId } from "../../core/ids.ts";
import type { Part } from "../../core/message.ts";
import { jsonIn } from "../../core/json.ts";
import { member, textIn } from "../../core/stream/jsonFields.ts";
import { callSealSignature, readCallSeal, type CallSeal } from "../../core/stream/signatures.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";

/** What Google takes in place of a seal for a call that another model made. */
const UNSEALED = "skip_thought_signature_validator";

const GEMINI_FORMAT = "google-gemini-v1";

/** Collects the seals of one answer; they are told at its end, when all its calls are known. */
export class CallSeals {
  readonly #found: { readonly callId: string; readonly service: CallSeal["service"]; readonly content: string }[] = [];

  /** Looks for one in a piece of a call. */
  lookInCall(callId: ToolCallId, piece: unknown): void {
    const content = textIn(member(member(piece, "extra_content"), "google"), "thought_signature");
    if (content !== "") this.#found.push({ callId, service: "google", content });
  }

  /** Looks for them among what OpenRouter tells of the reasoning. */
  lookInDetails(details: readonly unknown[]): void {
    for (const detail of details) {
      const isSeal = textIn(detail, "type") === "reasoning.encrypted" && textIn(detail, "format") === GEMINI_FORMAT;
      if (!isSeal) continue;
      this.#found.push({ callId: textIn(detail, "id"), service: "openrouter", content: JSON.stringify(detail) });
    }
  }

  /** The seals, by the `calls` of the answer in their order. One that names no call is of the first. */
  events(model: ModelId, calls: readonly ToolCallId[]): readonly StreamEvent[] {
    if (calls.length === 0) return [];
    return this.#found.map(({ callId, service, content }) => {
      const callsBack = calls.length - Math.max(0, calls.indexOf(toolCallId(callId)));
      return { kind: "thinkingSignature", signature: callSealSignature({ service, model, callsBack, content }) };
    });
  }
}

/** How calls go back: to which model, and how one without a seal is marked; `undefined`: it is not. */
export interface SealForm {
  readonly model: ModelId;
  readonly takesSeals: boolean;
  readonly marksUnsealed: CallSeal["service"] | undefined;
}

/** What goes with the calls of a message. */
export interface SealedCalls {
  /** What stands in the call of this index among the calls. */
  readonly inCall: ReadonlyMap<number, object>;
  /** What stands in the message. */
  readonly inMessage: { readonly reasoning_details?: readonly object[] };
}

/** The seals of a message for the model that it goes to. */
export function sealedCalls(parts: readonly Part[], { model, takesSeals, marksUnsealed }: SealForm): SealedCalls {
  const callIds: ToolCallId[] = [];
  const seals = new Map<number, CallSeal>();
  for (const part of parts) {
    if (part.kind === "toolCall") callIds.push(part.callId);
    const seal = part.kind === "thinking" && takesSeals ? readCallSeal(part.signature ?? "") : undefined;
    if (seal?.model === model) seals.set(callIds.length - seal.callsBack, seal);
  }
  // Of calls that are made at once, only the first is sealed.
  if (marksUnsealed !== undefined && callIds.length > 0 && !seals.has(0)) {
    seals.set(0, unsealed(marksUnsealed, model));
  }
  const inCall = new Map<number, object>();
  const details: object[] = [];
  for (const [index, { service, content }] of seals) {
    if (service === "google") inCall.set(index, { extra_content: { google: { thought_signature: content } } });
    else details.push({ ...objectIn(content), id: callIds[index] });
  }
  return { inCall, inMessage: details.length === 0 ? {} : { reasoning_details: details } };
}

function unsealed(service: CallSeal["service"], model: ModelId): CallSeal {
  const detail = { type: "reasoning.encrypted", data: UNSEALED, format: GEMINI_FORMAT, index: 0 };
  return { service, model, callsBack: 1, content: service === "google" ? UNSEALED : JSON.stringify(detail) };
}

function objectIn(json: string): object {
  const value = jsonIn(json);
  return typeof value === "object" && value !== null ? value : {};
}
