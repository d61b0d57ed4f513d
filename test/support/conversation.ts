/** A conversation for tests of the context: messages have a size and no meaning, and every change goes through a record. */

import assert from "node:assert/strict";
import { ContextManager } from "../../src/core/context/contextManager.ts";
import { contextSettings, type ContextSettings } from "../../src/core/context/contextSettings.ts";
import type { PendingSummarization } from "../../src/core/context/pendingSummarization.ts";
import type { PreparedContext } from "../../src/core/context/preparedContext.ts";
import { NO_OVERHEAD, type RequestOverhead } from "../../src/core/context/requestOverhead.ts";
import type { ContextSegment } from "../../src/core/context/workingContext.ts";
import type { ConversationRecord } from "../../src/core/history/records.ts";
import type { MessageRange, SummaryKind, SummaryState } from "../../src/core/history/summary.ts";
import { messageId, modelId, summaryId, toolCallId, type MessageId } from "../../src/core/ids.ts";
import { textMessage, type Message, type Role, type TokenCounts } from "../../src/core/message.ts";
import { ModelRegistry, type ModelOverride } from "../../src/core/models/modelRegistry.ts";
import { ok } from "../../src/core/result.ts";

/** Windows of the test models; budgets: tiny 950, small 3,892, middle 19,000, large 129,200. Counted as cl100k + 4. */
export const TEST_MODELS: Readonly<Record<string, ModelOverride>> = {
  tiny: { contextWindow: 1_200, maxOutput: 200 },
  small: { contextWindow: 8_192, maxOutput: 4_096 },
  middle: { contextWindow: 24_000, maxOutput: 4_000 },
  large: { contextWindow: 200_000, maxOutput: 64_000 },
};

/** What a test conversation begins with. */
export interface ConversationOptions {
  readonly model?: string;
  readonly settings?: Partial<ContextSettings>;
  readonly overhead?: RequestOverhead;
}

/** The same number of tokens in both encodings. */
export function counts(tokens: number): TokenCounts {
  return { cl100k: tokens, o200k: tokens };
}

/** Messages `start` up to, but not including, `end`. */
export function range(start: number, end: number): MessageRange {
  return { start: messageId(start), end: messageId(end) };
}

/** Drives a `ContextManager` as the application does: make a record, store it, apply it. */
export class TestConversation {
  readonly manager: ContextManager;
  /** Everything that was stored, in order. */
  readonly records: ConversationRecord[] = [];
  readonly #messages: Message[] = [];
  readonly #options: ConversationOptions;
  #nowMs = 1_000;

  constructor(options: ConversationOptions = {}) {
    this.#options = options;
    const { model = "small", settings = {}, overhead = NO_OVERHEAD } = options;
    const registry = new ModelRegistry();
    assert.ok(registry.setOverrides(TEST_MODELS).ok);
    const checked = contextSettings(settings);
    assert.ok(checked.ok);
    this.manager = new ContextManager({
      registry,
      settings: checked.value,
      model: modelId(model),
      overhead,
      readMessages: (ids) => Promise.resolve(ok(ids.map((id) => this.message(id)))),
    });
  }

  /** The message with this id. */
  message(id: MessageId): Message {
    const message = this.#messages[id];
    assert.ok(message !== undefined, `message ${String(id)} was stored`);
    return message;
  }

  /** Stores a record and applies it. */
  store(record: ConversationRecord): void {
    if (record.kind === "message") this.#messages.push(record.message);
    this.records.push(record);
    this.manager.apply(record);
  }

  /** Adds a message of so many tokens and answers its id. */
  add(message: Message, tokens: number): MessageId {
    const meta = { state: "complete", createdAtMs: this.#nowMs++, tokens: counts(tokens) } as const;
    const record = this.manager.record(message, meta);
    this.store(record);
    return record.entry.id;
  }

  say(role: Role, tokens: number): MessageId {
    return this.add(textMessage(role, `${role} ${String(this.#messages.length)}`), tokens);
  }

  /** A question and its answer. */
  turn(questionTokens: number, answerTokens: number): void {
    this.say("user", questionTokens);
    this.say("assistant", answerTokens);
  }

  turns(count: number, questionTokens: number, answerTokens: number): void {
    for (let turn = 0; turn < count; turn++) this.turn(questionTokens, answerTokens);
  }

  /** An assistant message with one call for each result, and a message with each result. */
  toolBatch(callTokens: number, resultTokens: readonly number[]): void {
    const ids = resultTokens.map((_, index) => toolCallId(`call-${String(this.#messages.length)}-${String(index)}`));
    const calls = ids.map((callId) => ({ kind: "toolCall", callId, name: "read", inputJson: "{}" }) as const);
    this.add({ role: "assistant", parts: calls }, callTokens);
    ids.forEach((callId, index) => {
      const tokens = resultTokens[index] ?? 0;
      this.add(
        { role: "user", parts: [{ kind: "toolResult", callId, outcome: "ok", text: "word ".repeat(tokens) }] },
        tokens,
      );
    });
  }

  /** Summarizes a range into so many tokens. */
  summarize(start: number, end: number, tokens: number, kind: SummaryKind = "conversation"): void {
    const ids = Array.from({ length: end - start }, (_, index) => messageId(start + index));
    const pending = this.manager.prepareSummarization(ids);
    assert.ok(pending !== undefined, `messages ${String(start)} to ${String(end)} can be summarized`);
    assert.ok(this.complete(pending, tokens, kind), "the summary is accepted");
  }

  /** Ends a summary with a text of so many tokens; whether it was accepted. */
  complete(pending: PendingSummarization, tokens: number, kind: SummaryKind = "conversation"): boolean {
    const content = `summary ${String(pending.id)} of ${String(pending.covers.start)} to ${String(pending.covers.end)}`;
    const draft = { content, tokens: counts(tokens), kind, factsKept: 0, factsTotal: 0, createdAtMs: this.#nowMs++ };
    const completed = this.manager.completeSummarization(pending, draft, "test-model");
    if (completed.ok) this.store(completed.value);
    return completed.ok;
  }

  setSummaryState(id: number, state: SummaryState): void {
    this.#storeOk(this.manager.setSummaryState(summaryId(id), state, this.#nowMs++));
  }
  pin(id: number): void {
    this.#storeOk(this.manager.pin(messageId(id), this.#nowMs++));
  }
  unpin(id: number): void {
    this.#storeOk(this.manager.unpin(messageId(id), this.#nowMs++));
  }
  hide(start: number, end: number): void {
    this.#storeOk(this.manager.hide(range(start, end), this.#nowMs++));
  }
  show(start: number, end: number): void {
    this.#storeOk(this.manager.show(range(start, end), this.#nowMs++));
  }
  /** Goes on with another model, as a stored record. */
  switchTo(model: string): void {
    this.store({ kind: "model", provider: "test", model: modelId(model), atMs: this.#nowMs++ });
  }

  /** Makes the room that a plan for `trigger` asks for; every summary gets `tokensFor` tokens. */
  compact(
    trigger: Parameters<ContextManager["planCompaction"]>[0],
    tokensFor: (pending: PendingSummarization) => number = (pending) => pending.targetTokens,
  ): number {
    const plan = this.manager.planCompaction(trigger);
    for (const step of plan?.steps ?? []) {
      const covers = step.spans.map((span) => span.covers);
      for (let index = 0; index < covers.length; index++) {
        const pending = this.manager.pendingFor(step)[index];
        if (pending !== undefined) this.complete(pending, tokensFor(pending), step.kind);
      }
    }
    return plan?.steps.length ?? 0;
  }

  /** The request that is ready now. */
  ready(): PreparedContext {
    const prepared = this.manager.prepare();
    assert.ok(prepared.kind === "ready", `ready, not ${prepared.kind}`);
    return prepared.context;
  }

  /** What is sent now, in short: `7` a message, `7~` an excerpt, `S0[0-6]` a summary, `-[0-6]` what is not sent. */
  sent(): string {
    const prepared = this.manager.prepare();
    if (prepared.kind !== "ready") return prepared.kind;
    return prepared.context.segments.map(shortly).join(" ");
  }

  /** The same conversation, read anew from the store. */
  reopened(): TestConversation {
    const again = new TestConversation(this.#options);
    for (const record of this.records) again.store(record);
    return again;
  }

  #storeOk(
    made: { readonly ok: true; readonly value: ConversationRecord } | { readonly ok: false; readonly error: unknown },
  ): void {
    assert.ok(made.ok, made.ok ? "" : JSON.stringify(made.error));
    this.store(made.value);
  }
}

function shortly(segment: ContextSegment): string {
  switch (segment.kind) {
    case "original":
      return String(segment.id);
    case "excerpt":
      return `${String(segment.id)}~`;
    case "summary":
      return `S${String(segment.id)}[${String(segment.covers.start)}-${String(segment.covers.end - 1)}]`;
    case "omitted":
      return `-[${String(segment.covers.start)}-${String(segment.covers.end - 1)}]`;
  }
}
