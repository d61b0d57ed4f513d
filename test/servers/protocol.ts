/** Interfaces of a local model server and of the protocols that it runs. */

import type { IncomingHttpHeaders } from "node:http";
import type { Answer, Script } from "./script.ts";
import type { StreamFormat, WireEvent } from "./streamWriter.ts";

export interface ServedModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Context reserved by a server that loads models on demand, in tokens: 0 until loaded. */
  readonly loadedTokens?: number;
  /** Paths of refused parameters: `reasoning.effort`. */
  readonly refuses?: readonly string[];
  /** True if its thinking is bound to everything before it, in protocols that support this. */
  readonly bindsThinking?: true;
  /** True if thinking must be returned with the calls that it led to, as DeepSeek requires. */
  readonly wantsThinking?: boolean;
  /** True if call ids and the order of messages must be as Mistral requires. */
  readonly isMistral?: boolean;
  /** Thought signature of its calls, as Google's models have, in the form of this service. */
  readonly seal?: { readonly service: "google" | "openRouter"; readonly text: string };
}

export interface ServerOptions {
  /** The only accepted key. Absent: no key is required. */
  readonly key?: string;
  readonly models?: readonly ServedModel[];
  /** Port; a free one if absent. */
  readonly port?: number;
  /** Time after which the server ends by itself; 10 minutes by default. */
  readonly lifeMs?: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, if there was a body. */
  readonly body: unknown;
}

export interface ModelServer {
  /** "http://127.0.0.1:41234" */
  readonly url: string;
  readonly port: number;
  /** All requests except those to `/control`, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Number of requests being answered now. */
  readonly live: number;
  /** Adds scripts before the existing ones. */
  script(...scripts: readonly Script[]): void;
  /** Continues paused answers, and later ones at their pause, until the next `reset` or script with a pause. */
  goOn(): void;
  /** Clears scripts and recorded requests. */
  reset(): void;
  /** Closes every connection and the server. */
  close(): Promise<void>;
}

/** An answer that is not a stream. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface Protocol {
  /** Path of requests for an answer. */
  readonly chatPath: string;
  readonly format: StreamFormat;
  /** The refusal of the real service, if it would refuse the request. */
  refuse(request: RecordedRequest): PlainAnswer | undefined;
  /** The user's last text, which selects the script and the default answer. */
  lastUserText(body: unknown): string;
  events(answer: Answer, body: unknown): readonly WireEvent[];
  errorEvent(type: string, message: string): WireEvent;
  errorBody(type: string, message: string): unknown;
  /** Answer for another path, such as the list of models. `undefined`: 404. */
  other(request: RecordedRequest): PlainAnswer | undefined;
}
