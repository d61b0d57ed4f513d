/**
 * The only input of a provider: a request that is proven to fit its model. Made by `prepare()` and `promptContext()`
 * alone; private fields keep anything else from passing for one.
 */

import type { ForgeError } from "../../errors.ts";
import type { ModelId } from "../../ids.ts";
import type { Message } from "../../message.ts";
import type { ModelLimits } from "../../models/modelLimits.ts";
import { invariant, ok, type Result } from "../../result.ts";
import { wellFormed, wellFormedJson } from "../../wellFormed.ts";
import type { ContextUsage } from "../usage/contextUsage.ts";
import type { ToolDefinition, RequestOverhead } from "./requestOverhead.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { answerLimit } from "../outputReserve.ts";
import { apiMessages, type ReadMessages } from "./apiMessages.ts";
import type { ModelContext } from "../modelContext.ts";
import type { ContextSegment, WorkingContext } from "../cut/workingContext.ts";

export interface PreparedContextInit {
  readonly revision: number;
  readonly model: ModelId;
  readonly limits: ModelLimits;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** At most `budgetTokens`. */
  readonly usedTokens: number;
  readonly budgetTokens: number;
  readonly segments: () => readonly ContextSegment[];
  readonly usage: () => ContextUsage;
  readonly messages: () => Promise<Result<readonly Message[], ForgeError>>;
  readonly currentRevision: () => number;
}

export class PreparedContext {
  readonly #parts: PreparedContextInit;
  #read: Promise<Result<readonly Message[], ForgeError>> | undefined;

  /** Throws if the request does not fit: callers check that before. */
  constructor(parts: PreparedContextInit) {
    invariant(parts.usedTokens <= parts.budgetTokens, "a prepared context fits its budget");
    this.#parts = parts;
  }

  /** Revision of the conversation that it was made for. */
  get revision(): number {
    return this.#parts.revision;
  }
  get model(): ModelId {
    return this.#parts.model;
  }
  /** `maxOutput` is the limit of the answer. */
  get limits(): ModelLimits {
    return this.#parts.limits;
  }
  /** Empty: none. */
  get systemPrompt(): string {
    return wellFormed(this.#parts.systemPrompt);
  }
  get tools(): readonly ToolDefinition[] {
    return this.#parts.tools.map((tool) => ({
      ...wellFormed(tool),
      inputSchemaJson: wellFormedJson(tool.inputSchemaJson),
    }));
  }
  /** Oldest first. */
  get segments(): readonly ContextSegment[] {
    return this.#parts.segments();
  }

  usage(): ContextUsage {
    return this.#parts.usage();
  }

  /**
   * Reads the messages to send, oldest first; summaries have role `system`. Call at the start of the request: throws if
   * the conversation has changed since `prepare()`, which is a bug. A retry gets the same messages.
   */
  apiMessages(): Promise<Result<readonly Message[], ForgeError>> {
    const { revision, currentRevision, messages } = this.#parts;
    if (this.#read === undefined) {
      invariant(revision === currentRevision(), "a prepared context is sent before the conversation changes");
      this.#read = messages().then((read) => (read.ok ? ok(read.value.map(wellFormedMessage)) : read));
    }
    return this.#read;
  }
}

/** The message as services accept it, in each of its texts. */
export function wellFormedMessage(message: Message): Message {
  const { parts, ...rest } = wellFormed(message);
  const sent = parts.map((part) =>
    part.kind === "toolCall" ? { ...part, inputJson: wellFormedJson(part.inputJson) } : part,
  );
  return { ...rest, parts: sent };
}

export interface ProofInputs {
  readonly history: FullHistory;
  readonly model: ModelContext;
  readonly overhead: RequestOverhead;
  readonly usage: ContextUsage;
  readonly readMessages: ReadMessages;
  readonly revision: () => number;
}

/** Proves `context` as it is now; segments appended later are not part of it. */
export function proveContext(context: WorkingContext, parts: ProofInputs): PreparedContext {
  const { history, overhead, readMessages, usage, revision } = parts;
  const { model, maxOutput: mostOutput, budgetTokens, costs } = parts.model;
  const { usedTokens, length } = context;
  const limits = {
    contextWindow: parts.model.limits.contextWindow,
    maxOutput: answerLimit(parts.model.limits, { maxOutput: mostOutput, usedTokens }),
  };
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
