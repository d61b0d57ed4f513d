/**
 * Google's models sign what they thought before a tool call, and from the third Gemini on refuse the call without it
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). Calls of other models are told apart by a word of Google's
 * own. OpenRouter has a form of its own for both.
 */

import { toolCallId, type ModelId, type ToolCallId } from "../../../core/ids.ts";
import type { Part } from "../../../core/message.ts";
import { tryParseJson, member, stringField } from "../../../core/json.ts";
import { storedThoughtSignature, readThoughtSignature, type ThoughtSignature } from "../../http/signatures.ts";
import type { StreamEvent } from "../../../core/stream/streamEvent.ts";

/** What Google takes in place of a signature for a call that another model made. */
const UNSIGNED = "skip_thought_signature_validator";

const GEMINI_FORMAT = "google-gemini-v1";

/** Collects the signatures of one answer; they are told at its end, when all its calls are known. */
export class ThoughtSignatures {
  readonly #found: {
    readonly callId: string;
    readonly service: ThoughtSignature["service"];
    readonly content: string;
  }[] = [];

  /** Looks for one in a piece of a call. */
  addFromCall(callId: ToolCallId, piece: unknown): void {
    const content = stringField(member(member(piece, "extra_content"), "google"), "thought_signature");
    if (content !== "") this.#found.push({ callId, service: "google", content });
  }

  /** Looks for them among what OpenRouter tells of the reasoning. */
  addFromDetails(details: readonly unknown[]): void {
    for (const detail of details) {
      const isSignature =
        stringField(detail, "type") === "reasoning.encrypted" && stringField(detail, "format") === GEMINI_FORMAT;
      if (!isSignature) continue;
      this.#found.push({ callId: stringField(detail, "id"), service: "openrouter", content: JSON.stringify(detail) });
    }
  }

  /** The signatures, by the `calls` of the answer in their order. One that names no call is of the first. */
  events(model: ModelId, calls: readonly ToolCallId[]): readonly StreamEvent[] {
    if (calls.length === 0) return [];
    return this.#found.map(({ callId, service, content }) => {
      const callsBack = calls.length - Math.max(0, calls.indexOf(toolCallId(callId)));
      return { kind: "thinkingSignature", signature: storedThoughtSignature({ service, model, callsBack, content }) };
    });
  }
}

/** How calls go back: to which model, and how one without a signature is marked; `undefined`: it is not. */
export interface SignatureForm {
  readonly model: ModelId;
  readonly takesSignatures: boolean;
  readonly marksUnsigned: ThoughtSignature["service"] | undefined;
}

/** What goes with the calls of a message. */
export interface SignedCalls {
  /** What stands in the call of this index among the calls. */
  readonly inCall: ReadonlyMap<number, object>;
  /** What stands in the message. */
  readonly inMessage: { readonly reasoning_details?: readonly object[] };
}

/** The signatures of a message for the model that it goes to. */
export function signedCalls(
  parts: readonly Part[],
  { model, takesSignatures, marksUnsigned }: SignatureForm,
): SignedCalls {
  const callIds: ToolCallId[] = [];
  const signatures = new Map<number, ThoughtSignature>();
  for (const part of parts) {
    if (part.kind === "toolCall") callIds.push(part.callId);
    const signature =
      part.kind === "thinking" && takesSignatures ? readThoughtSignature(part.signature ?? "") : undefined;
    if (signature?.model === model) signatures.set(callIds.length - signature.callsBack, signature);
  }
  // Of calls that are made at once, only the first is signed.
  if (marksUnsigned !== undefined && callIds.length > 0 && !signatures.has(0)) {
    signatures.set(0, unsigned(marksUnsigned, model));
  }
  const inCall = new Map<number, object>();
  const details: object[] = [];
  for (const [index, { service, content }] of signatures) {
    if (service === "google") inCall.set(index, { extra_content: { google: { thought_signature: content } } });
    else details.push({ ...objectIn(content), id: callIds[index] });
  }
  return { inCall, inMessage: details.length === 0 ? {} : { reasoning_details: details } };
}

function unsigned(service: ThoughtSignature["service"], model: ModelId): ThoughtSignature {
  const detail = { type: "reasoning.encrypted", data: UNSIGNED, format: GEMINI_FORMAT, index: 0 };
  return { service, model, callsBack: 1, content: service === "google" ? UNSIGNED : JSON.stringify(detail) };
}

function objectIn(json: string): object {
  const value = tryParseJson(json);
  return typeof value === "object" && value !== null ? value : {};
}
