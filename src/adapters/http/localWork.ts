/**
 * Work of a server on the user's own machines, where it takes a while and costs nothing: how much it reads of a request,
 * and how fast it is. Silent about all other servers.
 */

import type { ModelId } from "../../core/ids.ts";
import type { RequestSpeed } from "../../core/models/modelSpeeds.ts";
import type { WireContext } from "../../core/stream/provider.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { isLocalAddress } from "./localAddress.ts";
import { readingOfProgress, speedOfTimings } from "./serverTimings.ts";

/** Called with the speed of each request, as the server reports it. */
export type OnSpeed = (model: ModelId, speed: RequestSpeed) => void;

export interface AskedPrompt {
  /** As planned. */
  readonly promptTokens: number;
  /** The server reports how far it has read, if asked. */
  readonly tellsProgress: boolean;
}

/** Work of one server; lives as long as its provider. */
export class LocalWork {
  readonly isLocal: boolean;
  readonly #onSpeed: OnSpeed;
  /** Last prompt of each model, in pieces. */
  readonly #prompts = new Map<ModelId, readonly string[]>();

  constructor(address: string, onSpeed: OnSpeed = () => undefined) {
    this.isLocal = isLocalAddress(address);
    this.#onSpeed = onSpeed;
  }

  noteSpeed(model: ModelId, speed: RequestSpeed | undefined): void {
    if (this.isLocal && speed !== undefined) this.#onSpeed(model, speed);
  }

  /**
   * Share of the prompt that must be read anew, 0 to 1: such servers keep the last prompt and its answer, and read what
   * follows the part that the next one has in common with it. Remembers the prompt.
   */
  freshShare(model: ModelId, context: WireContext): number {
    if (!this.isLocal) return 1;
    const pieces = [
      JSON.stringify([context.systemPrompt, context.tools]),
      ...context.messages.map((message) => JSON.stringify(message)),
    ];
    const last = this.#prompts.get(model) ?? [];
    this.#prompts.set(model, pieces);
    let common = 0;
    while (common < last.length && last[common] === pieces[common]) common++;
    const isContinued = common > 0 && common === last.length;
    if (isContinued && context.messages[common - 1]?.role === "assistant") common++;
    const characters = (from: number): number => pieces.slice(from).reduce((sum, { length }) => sum + length, 0);
    return common === 0 ? 1 : characters(common) / characters(0);
  }

  /** The server has dropped its cache together with the model. */
  forgetPrompt(model: ModelId): void {
    this.#prompts.delete(model);
  }

  /** The event for what the server does first, as far as that is known before it says anything. */
  expected(promptTokens: number, freshShare: number): readonly StreamEvent[] {
    const freshTokens = Math.round(promptTokens * freshShare);
    return this.isLocal ? [{ kind: "reading", freshTokens, readTokens: 0, isEstimate: true }] : [];
  }

  /** Tells what the server does first; one that reports its progress does so at once, and knows better. */
  begins(
    model: ModelId,
    context: WireContext,
    { promptTokens, tellsProgress }: AskedPrompt,
    tell: (event: StreamEvent) => void,
  ): void {
    const share = this.freshShare(model, context);
    if (!tellsProgress) this.expected(promptTokens, share).forEach(tell);
  }

  /** Notes the speed in a chunk of an answer, and returns the progress in it. */
  eventsIn(chunk: unknown, model: ModelId): readonly StreamEvent[] {
    this.noteSpeed(model, speedOfTimings(chunk));
    return this.#progressIn(chunk);
  }

  /** Progress that the server itself reports. */
  #progressIn(chunk: unknown): readonly StreamEvent[] {
    const reading = readingOfProgress(chunk);
    return reading === undefined ? [] : [{ kind: "reading", ...reading }];
  }
}
