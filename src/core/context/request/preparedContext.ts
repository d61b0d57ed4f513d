/**
 * The only thing a provider may be called with: a request that is proved to fit its model. `prepare()` and
 * `promptContext()` make one; the private fields keep anything else from passing for one.
 */

import type { ForgeError } from "../../errors.ts";
import type { ModelId } from "../../ids.ts";
import type { Message } from "../../message.ts";
import type { ModelLimits } from "../../models/modelLimits.ts";
import { invariant, type Result } from "../../result.ts";
import type { ContextUsage } from "../usage/contextUsage.ts";
import type { ToolDefinition, RequestOverhead } from "./requestOverhead.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { apiMessages, type ReadMessages } from "./apiMessages.ts";
import type { ModelContext } from "../modelContext.ts";
import type { ContextSegment, WorkingContext } from "../cut/workingContext.ts";

/** What a prepared context is made of. */
export interface PreparedParts {
  readonly revision: number;
  readonly model: ModelId;
  readonly limits: ModelLimits;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** At most `budgetTokens`, or it is no proof. */
  readonly usedTokens: number;
  readonly budgetTokens: number;
  readonly segments: () => readonly ContextSegment[];
  readonly usage: () => ContextUsage;
  readonly messages: () => Promise<Result<readonly Message[], ForgeError>>;
  readonly currentRevision: () => number;
}

/** Proof that a request fits the budget of its model. */
export class PreparedContext {
  readonly #parts: PreparedParts;
  #read: Promise<Result<readonly Message[], ForgeError>> | undefined;

  /** Throws when the parts do not fit: whoever makes one has to have seen to that. */
  constructor(parts: PreparedParts) {
    invariant(parts.usedTokens <= parts.budgetTokens, "a prepared context fits its budget");
    this.#parts = parts;
  }

  /** The state of the conversation that it was made for. */
  get revision(): number {
    return this.#parts.revision;
  }
  /** The model that it fits. */
  get model(): ModelId {
    return this.#parts.model;
  }
  /** The limits that it was computed with. */
  get limits(): ModelLimits {
    return this.#parts.limits;
  }
  /** Instructions for the model; empty: none. */
  get systemPrompt(): string {
    return this.#parts.systemPrompt;
  }
  /** What the model may call; may be empty. */
  get tools(): readonly ToolDefinition[] {
    return this.#parts.tools;
  }
  /** What is sent, oldest first. */
  get segments(): readonly ContextSegment[] {
    return this.#parts.segments();
  }

  /** The figures of this request. */
  usage(): ContextUsage {
    return this.#parts.usage();
  }

  /**
   * Reads the messages to be sent, oldest first; summaries are messages of role `system`. To be called at the start of the
   * request: when the conversation has changed since `prepare()`, that is a bug and throws. A request that is sent again
   * gets the same messages.
   */
  apiMessages(): Promise<Result<readonly Message[], ForgeError>> {
    const { revision, currentRevision, messages } = this.#parts;
    if (this.#read === undefined) {
      invariant(revision === currentRevision(), "a prepared context is sent before the conversation changes");
      this.#read = messages();
    }
    return this.#read;
  }
}

/** What a proof holds besides the cut. */
export interface ProofParts {
  readonly history: FullHistory;
  readonly model: ModelContext;
  readonly overhead: RequestOverhead;
  readonly usage: ContextUsage;
  readonly readMessages: ReadMessages;
  readonly revision: () => number;
}

/** The proof for `context` as it is now; what is appended to it later is no part of it. */
export function proveContext(context: WorkingContext, parts: ProofParts): PreparedContext {
  const { history, overhead, readMessages, usage, revision } = parts;
  const { model, limits, budgetTokens, costs } = parts.model;
  const { usedTokens, length } = context;
  const segments = (): readonly ContextSegment[] => context.segments(length);
  return new PreparedContext({
    revision: revision(),
    currentRevision: revision,
    model,
    limits,
    systemPrompt: overhead.systemPrompt,
    tools: overhead.tools,
    usedTokens,
    budgetTokens,
    segments,
    usage: () => usage,
    messages: () => apiMessages(segments(), { history, costs, readMessages }),
  });
}
