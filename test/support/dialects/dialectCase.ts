/** Bytes that a service was reported to send, and what must be made of them. */

import type { ForgeError } from "../../../src/core/errors.ts";
import type { Message } from "../../../src/core/message.ts";
import type { OfferedModel } from "../../../src/core/stream/provider.ts";
import type { ProviderUsage, StopReason } from "../../../src/core/stream/streamEvent.ts";

/** Protocol that the request is sent in. */
export type Protocol = "messages" | "chat" | "responses" | "ollama";

/** What the request is planned with. */
export interface RequestContext {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly messages?: readonly Message[];
  /** Default: `any`. */
  readonly model?: string;
}

export interface WireAnswer {
  /** Default: 200. */
  readonly status?: number;
  /** Default: the content type of a stream in this protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DialectCase {
  /** "toolCalls", "thoughts", "streams", "errors", "usage", "models". */
  readonly kind: string;
  readonly service: string;
  /** Public report, as `project#number`; empty where no report was read: the form is known, its wording not checked. */
  readonly source: string;
  readonly title: string;
  readonly protocol: Protocol;
  /** Default: `answer`. */
  readonly asks?: "answer" | "models";
  readonly context?: RequestContext;
  /** Answers of the service, one for each request; the last one is repeated. */
  readonly wire: readonly WireAnswer[];
  readonly right: RightAnswer | RightList;
}

/** Whole result of a request for an answer. */
export interface RightAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly signatures: readonly string[];
  readonly toolCalls: readonly { readonly name: string; readonly input: unknown }[];
  readonly usage: ProviderUsage | undefined;
  readonly end: StopReason | RightError;
  /** Requests for the answer that the service got. */
  readonly requests: number;
}

/** An error without its wording. */
export type RightError = Omit<ForgeError, "detail" | "message">;

export interface RightList {
  readonly models: readonly OfferedModel[] | RightError;
  readonly requests: number;
}

/** A whole answer; what is not given is empty. */
export function rightAnswer(given: Partial<RightAnswer>): RightAnswer {
  return {
    text: "",
    thinking: "",
    signatures: [],
    toolCalls: [],
    usage: undefined,
    end: (given.toolCalls ?? []).length > 0 ? "toolUse" : "endTurn",
    requests: 1,
    ...given,
  };
}

/** One Chat Completions event for each object, and the end marker. */
export function chatStream(...chunks: readonly object[]): string {
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"].join("");
}

/** A Chat Completions event with `delta`. */
export function delta(given: object, finish_reason: string | null = null): object {
  return { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: given, finish_reason }] };
}

export function end(reason: string): object {
  return delta({}, reason);
}
