/**
 * Google's models sign the thought before a tool call, and since Gemini 3 refuse the call without its signature
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). A fixed value of Google's marks calls of other models.
 * OpenRouter has its own form of both.
 */

import { toolCallId, type ModelId, type ToolCallId } from "../../../core/ids.ts";
import type { Part } from "../../../core/message.ts";
import { tryParseJson, member, stringField } from "../../../core/json.ts";
import { storedThoughtSignature, readThoughtSignature, type ThoughtSignature } from "../../http/signatures.ts";
import type { StreamEvent } from "../../../core/stream/streamEvent.ts";

/** Google accepts this instead of a signature for calls of other models. */
const UNSIGNED = "skip_thought_signature_validator";

const GEMINI_FORMAT = "google-gemini-v1";

/** Collects the signatures of one answer; emitted at its end, when all calls are known. */
export class ThoughtSignatures {
  readonly #found: {
    readonly callId: string;
    readonly service: ThoughtSignature["service"];
    readonly content: string;
  }[] = [];

  addFromCall(callId: ToolCallId, piece: unknown): void {
    const content = stringField(member(member(piece, "extra_content"), "google"), "thought_signature");
    if (content !== "") this.#found.push({ callId, service: "google", content });
  }

  /** `details`: reasoning details in OpenRouter's form. */
  addFromDetails(details: readonly unknown[]): void {
    for (const detail of details) {
      const isSignature =
        stringField(detail, "type") === "reasoning.encrypted" && stringField(detail, "format") === GEMINI_FORMAT;
      if (!isSignature) continue;
      this.#found.push({ callId: stringField(detail, "id"), service: "openrouter", content: JSON.stringify(detail) });
    }
  }

  /** `calls`: all calls of the answer in order. A signature that names no call belongs to the first. */
  events(model: ModelId, calls: readonly ToolCallId[]): readonly StreamEvent[] {
    if (calls.length === 0) return [];
    return this.#found.map(({ callId, service, content }) => {
      const callsBack = calls.length - Math.max(0, calls.indexOf(toolCallId(callId)));
      return { kind: "thinkingSignature", signature: storedThoughtSignature({ service, model, callsBack, content }) };
    });
  }
}

/** `unsignedMark`: form of the mark for calls without a signature; `undefined`: none. */
export interface SignatureForm {
  readonly model: ModelId;
  readonly takesSignatures: boolean;
  readonly unsignedMark: ThoughtSignature["service"] | undefined;
}

/** Fields to add to a message and its calls. */
export interface SignedCalls {
  /** By index among the calls. */
  readonly inCall: ReadonlyMap<number, object>;
  readonly inMessage: { readonly reasoning_details?: readonly object[] };
}

export function signedCalls(
  parts: readonly Part[],
  { model, takesSignatures, unsignedMark }: SignatureForm,
): SignedCalls {
  const callIds: ToolCallId[] = [];
  const signatures = new Map<number, ThoughtSignature>();
  for (const part of parts) {
    if (part.kind === "toolCall") callIds.push(part.callId);
    const signature =
      part.kind === "thinking" && takesSignatures ? readThoughtSignature(part.signature ?? "") : undefined;
    if (signature?.model === model) signatures.set(callIds.length - signature.callsBack, signature);
  }
  // Of parallel calls, only the first is signed.
  if (unsignedMark !== undefined && callIds.length > 0 && !signatures.has(0)) {
    signatures.set(0, unsigned(unsignedMark, model));
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
