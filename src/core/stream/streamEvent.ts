/** Events of a provider's stream, decoded from its wire format. */

import type { ForgeError } from "../errors.ts";
import type { ToolCallId } from "../ids.ts";

/** Billed tokens of one request. With every provider, `inputTokens` is the whole context sent, cached or not. */
export interface ProviderUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}

/** `maxTokens` and `contextFull`: truncated answers that can be continued. */
export type StopReason = "endTurn" | "maxTokens" | "stopSequence" | "toolUse" | "refusal" | "contextFull" | "pause";

/** From the response headers; empty without an HTTP response. */
export interface ResponseInfo {
  readonly status?: number;
  /** The service's own id of the request, as in its logs. */
  readonly requestId?: string;
}

/** How far a server is with reading a request. */
export interface PromptReading {
  /** Tokens of the request that the server must read anew. */
  readonly freshTokens: number;
  /** Of those, read so far; equal at the end. */
  readonly readTokens: number;
  /** Tokens read a second; absent until the server tells. */
  readonly perSecond?: number;
  /** Reckoned before the request is sent, for a server that does not tell. */
  readonly isEstimate?: true;
}

/** Exactly one `done` or `failed` ends a guarded stream; a raw one may lack it. */
export type StreamEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** All text so far was thinking, of which only the end was marked. */
  | { readonly kind: "textWasThinking" }
  | { readonly kind: "thinkingSignature"; readonly signature: string }
  | { readonly kind: "toolCallStart"; readonly callId: ToolCallId; readonly name: string }
  | { readonly kind: "toolCallArgs"; readonly callId: ToolCallId; readonly json: string }
  | { readonly kind: "usage"; readonly usage: ProviderUsage }
  /** Bytes without content: the connection is alive, the model silent. Only in raw streams. */
  | { readonly kind: "ping" }
  /** Only in raw streams. */
  | { readonly kind: "answered"; readonly answered: ResponseInfo }
  /**
   * `silent`: no content for `ms`. `retry`: failed before any content, sent again in `ms`. `loading`: the model has been
   * loading for `ms`, and is asked again until it is there. Never journaled.
   */
  | { readonly kind: "waiting"; readonly why: "silent" | "retry" | "loading"; readonly ms: number }
  /** Before the first content. Never journaled. */
  | ({ readonly kind: "reading" } & PromptReading)
  | { readonly kind: "done"; readonly stopReason: StopReason }
  | { readonly kind: "failed"; readonly error: ForgeError };
