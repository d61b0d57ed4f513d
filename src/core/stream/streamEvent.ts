/** What a provider's stream is made of, once its own wire format is decoded. */

import type { ForgeError } from "../errors.ts";
import type { ToolCallId } from "../ids.ts";

/** Tokens of one request as the provider billed them, in one meaning for all: `inputTokens` is the whole context sent. */
export interface ProviderUsage {
  /** Everything that was read, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}

/** Why a model ended by itself. `maxTokens` and `contextFull` are cut answers that can be continued. */
export type StopReason = "endTurn" | "maxTokens" | "stopSequence" | "toolUse" | "refusal" | "contextFull" | "pause";

/** What the headers of an answer say of it. Empty: there was no answer, or none by HTTP. */
export interface Answered {
  readonly status?: number;
  /** What the service calls the request in its own logs. */
  readonly requestId?: string;
}

/** Exactly one `done` or `failed` ends a guarded stream; a raw one may lack it. */
export type StreamEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "thinkingSignature"; readonly signature: string }
  | { readonly kind: "toolCallStart"; readonly callId: ToolCallId; readonly name: string }
  | { readonly kind: "toolCallArgs"; readonly callId: ToolCallId; readonly json: string }
  | { readonly kind: "usage"; readonly usage: ProviderUsage }
  /** Bytes arrived that say nothing: the connection lives, the model is silent. Only in raw streams. */
  | { readonly kind: "ping" }
  /** What the headers of the answer say of it. Only in raw streams. */
  | { readonly kind: "answered"; readonly answered: Answered }
  /** `silent`: no content for `ms`, and the request goes on. `retry`: it failed unseen and is sent again in `ms`. Never journaled. */
  | { readonly kind: "waiting"; readonly why: "silent" | "retry"; readonly ms: number }
  | { readonly kind: "done"; readonly stopReason: StopReason }
  | { readonly kind: "failed"; readonly error: ForgeError };
