/** What a local model server is, and what a protocol must be able to do to be put into one. */

import type { IncomingHttpHeaders } from "node:http";
import type { Answer, Script } from "./script.ts";
import type { StreamFormat, WireEvent } from "./streamWriter.ts";

/** A model on offer. */
export interface ServedModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** What is set aside for it, where its server loads models when they are needed: 0 until then. */
  readonly loadedTokens?: number;
  /** Parameters that it refuses, by their paths in a request: `reasoning.effort`. */
  readonly refuses?: readonly string[];
  /** Its thinking is bound to all that stood before it, where its protocol knows of that. */
  readonly bindsThinking?: true;
  /** Whether the thinking that led to calls must come back with them, as DeepSeek has it. */
  readonly wantsThinking?: boolean;
  /** Whether it takes only calls and an order of messages as Mistral has them. */
  readonly isMistral?: boolean;
  /** What seals its calls, as Google's models have it, in the form of this service. */
  readonly seal?: { readonly service: "google" | "openRouter"; readonly text: string };
}

/** How a server is set up. */
export interface ServerOptions {
  /** The only key that is let in; left out: nobody is asked for one. */
  readonly key?: string;
  readonly models?: readonly ServedModel[];
  /** Where it listens; left out: where there is room. */
  readonly port?: number;
  /** The server ends itself after this time; 10 minutes by default. */
  readonly lifeMs?: number;
}

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; `undefined` where there was no body. */
  readonly body: unknown;
}

/** A server that runs. */
export interface ModelServer {
  /** "http://127.0.0.1:41234" */
  readonly url: string;
  readonly port: number;
  /** Everything that was asked, oldest first; requests to `/control` are not among it. */
  readonly requests: readonly RecordedRequest[];
  /** How many requests are being answered at this moment. */
  readonly live: number;
  /** Adds rules in front of those that are there. */
  script(...scripts: readonly Script[]): void;
  /** Lets answers go on that pause, and those that come to their pause later, until the next `reset`. */
  goOn(): void;
  /** Forgets rules and recorded requests. */
  reset(): void;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** An answer that is no stream. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What a protocol must be able to do. */
export interface Protocol {
  /** The path of requests for an answer. */
  readonly chatPath: string;
  readonly format: StreamFormat;
  /** Why a request is refused, as the real service would; `undefined` when it is fine. */
  refuse(request: RecordedRequest): PlainAnswer | undefined;
  /** The text that the user said last; for the choice of a rule and the default answer. */
  lastUserText(body: unknown): string;
  events(answer: Answer, body: unknown): readonly WireEvent[];
  errorEvent(type: string, message: string): WireEvent;
  errorBody(type: string, message: string): unknown;
  /** Other paths, such as the list of models; `undefined`: 404. */
  other(request: RecordedRequest): PlainAnswer | undefined;
}
