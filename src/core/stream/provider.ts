/** The port to a language model service; each provider adapter implements it. */

import type { CancelSignal } from "../cancellation.ts";
import type { PreparedContext } from "../context/request/preparedContext.ts";
import type { ToolDefinition } from "../context/request/requestOverhead.ts";
import type { ForgeError } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import type { Message } from "../message.ts";
import type { GenerationOptions } from "../models/generationOptions.ts";
import type { ModelLimits } from "../models/modelLimits.ts";
import type { Result } from "../result.ts";
import type { StreamEvent } from "./streamEvent.ts";

/** A prepared context whose messages have been read: what an encoder puts on the wire. */
export interface WireContext {
  /** Empty: none is sent. */
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
}

/** A model that a provider offers, with what is known of it. */
export interface OfferedModel {
  readonly id: ModelId;
  readonly label: string;
  /** Absent when the provider does not say. */
  readonly limits?: Partial<ModelLimits>;
  /** Whether it can call tools; absent when the provider does not say. */
  readonly callsTools?: boolean;
}

/** How one request is to be made. */
export interface StreamOptions extends GenerationOptions {
  readonly model: ModelId;
  readonly maxOutputTokens: number;
  /** Absent: an answer in a conversation. */
  readonly purpose?: "summary";
}

/**
 * A language model service, or what stands in for one. Implementations never throw out of a stream: every end is an event.
 * The raw stream may hang, end early or lie; `guardedProvider` makes it whole, and nothing reads a provider without it.
 */
export interface Provider {
  /** `anthropic`, `openai`, `openaiCompatible`, `ollama`, `editor`, `offline`. */
  readonly name: string;
  /** For the user: "Anthropic". */
  readonly label: string;
  /** Sends one prepared request. Aborting `cancel` ends the request at once. */
  stream(prepared: PreparedContext, options: StreamOptions, cancel: CancelSignal): AsyncIterable<StreamEvent>;
  /** Models on offer, best first. Also the test of a key: a wrong one answers `AUTH_FAILED`. */
  listModels(cancel: CancelSignal): Promise<Result<readonly OfferedModel[], ForgeError>>;
  /** The body that `stream` would send, as JSON has it; sends nothing, and holds no key. Absent: nothing is sent. */
  readonly requestBody?: (context: WireContext, options: StreamOptions, limits: ModelLimits) => Promise<object>;
}
