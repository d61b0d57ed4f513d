/** The port to a language model service; each provider adapter implements it. */

import type { CancelSignal } from "../cancellation.ts";
import type { PreparedContext } from "../context/request/preparedContext.ts";
import type { ToolDefinition } from "../context/request/requestOverhead.ts";
import type { ForgeError } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import type { Message } from "../message.ts";
import type { GenerationOptions } from "../models/generationOptions.ts";
import type { ModelAbilities } from "../models/modelRegistry.ts";
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

export interface OfferedModel extends ModelAbilities {
  readonly id: ModelId;
  readonly label: string;
  /** Absent when the provider does not say. */
  readonly limits?: Partial<ModelLimits>;
}

export interface StreamOptions extends GenerationOptions {
  readonly model: ModelId;
  readonly maxOutputTokens: number;
  /** Absent: an answer in a conversation. */
  readonly purpose?: "summary";
}

/**
 * Streams never throw: every end is an event. A raw one may hang, end early or lie; read it through `guardedProvider`.
 */
export interface Provider {
  /** `anthropic`, `openai`, `openaiCompatible`, `ollama`, `editor`, `offline`. */
  readonly name: string;
  /** For the user: "Anthropic". */
  readonly label: string;
  /** Sends one prepared request. Aborting `cancel` ends the request at once. */
  stream(prepared: PreparedContext, options: StreamOptions, cancel: CancelSignal): AsyncIterable<StreamEvent>;
  /** Best first. Also validates the key: a wrong one gives `AUTH_FAILED`. */
  listModels(cancel: CancelSignal): Promise<Result<readonly OfferedModel[], ForgeError>>;
  /** The JSON body that `stream` would send, without a key; sends nothing. Absent when no request is sent. */
  readonly requestBody?: (context: WireContext, options: StreamOptions, limits: ModelLimits) => Promise<object>;
  /**
   * Tokens that the server would bill for the input, without asking the model; `undefined` when it cannot tell now. Absent
   * where no server counts for free.
   */
  readonly countTokens?: (context: WireContext, model: ModelId, cancel: CancelSignal) => Promise<number | undefined>;
}
