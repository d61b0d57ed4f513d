/** A conversation for tests of the context: messages have sizes but no meaning, and every change is a record. */

import assert from "node:assert/strict";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { ContextManager } from "../../../src/core/context/contextManager.ts";
import { readContextSettings, type ContextSettings } from "../../../src/core/context/contextSettings.ts";
import type { StrategyParameters } from "../../../src/core/context/strategyParameters.ts";
import { textOfPart } from "../../../src/core/context/recalled/recalledText.ts";
import type { PendingSummarization } from "../../../src/core/context/summarization/pendingSummarization.ts";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { NO_OVERHEAD, type RequestOverhead } from "../../../src/core/context/request/requestOverhead.ts";
import type { CompactionTrigger } from "../../../src/core/context/plan/compactionPlanner.ts";
import type { UsageCalibrations } from "../../../src/core/context/usage/usageCalibrations.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { MessageRange, SummaryKind, SummaryState } from "../../../src/core/history/summaries/summary.ts";
import { messageId, modelId, summaryId, toolCallId, type MessageId } from "../../../src/core/ids.ts";
import {
  textMessage,
  type Message,
  type RecalledPassage,
  type Role,
  type TokenCounts,
} from "../../../src/core/message.ts";
import { ModelRegistry, type ModelOverride } from "../../../src/core/models/modelRegistry.ts";
import { ok } from "../../../src/core/result.ts";
import { countingFormula } from "../../../src/core/tokens/countingFormula.ts";
import { shortSegment } from "./shortSegment.ts";

/** Test models with budgets of 950 (tiny), 3,892 (small), 19,000 (middle), 129,200 (large). Counted as cl100k + 4. */
export const TEST_MODELS: Readonly<Record<string, ModelOverride>> = {
  tiny: { contextWindow: 1_200, maxOutput: 200 },
  small: { contextWindow: 8_192, maxOutput: 4_096 },
  middle: { contextWindow: 24_000, maxOutput: 4_000 },
  large: { contextWindow: 200_000, maxOutput: 64_000 },
  // Counted as 1.4 times cl100k + 1, plus 7 per request.
  "claude-odd": { contextWindow: 9_000, maxOutput: 2_000 },
};

/** Parameters of strategies by their names. */
export type GivenSettings = Partial<Omit<ContextSettings, "parameters"> & StrategyParameters>;

export interface ConversationOptions {
  readonly model?: string;
  readonly settings?: GivenSettings;
  readonly overhead?: RequestOverhead;
  readonly calibrations?: UsageCalibrations;
  readonly adaptsToSmallWindows?: boolean;
}

export function counts(tokens: number): TokenCounts {
  return { cl100k: tokens, o200k: tokens };
}

export function range(start: number, end: number): MessageRange {
  return { start: messageId(start), end: messageId(end) };
}

/** Drives a `ContextManager` as the application does: create a record, store it, apply it. */
export class TestConversation {
  readonly manager: ContextManager;
  /** Stored records, in order. */
  readonly records: ConversationRecord[] = [];
  readonly #messages: Message[] = [];
  readonly #options: ConversationOptions;
  #nowMs = 1_000;

  constructor(options: ConversationOptions = {}) {
    this.#options = options;
    const {
      model = "small",
      settings = {},
      overhead = NO_OVERHEAD,
      calibrations,
      adaptsToSmallWindows = false,
    } = options;
    const registry = new ModelRegistry();
    assert.ok(registry.setOverrides(TEST_MODELS).ok);
    this.manager = new ContextManager({
      registry,
      settings: readContextSettings((name) => settings[name]),
      model: modelId(model),
      overhead,
      adaptsToSmallWindows,
      ...(calibrations === undefined ? {} : { calibrations }),
      readMessages: (ids) => Promise.resolve(ok(ids.map((id) => this.message(id)))),
    });
  }

  message(id: MessageId): Message {
    const message = this.#messages[id];
    assert.ok(message !== undefined, `message ${String(id)} was stored`);
    return message;
  }

  store(record: ConversationRecord): void {
    if (record.kind === "message") this.#messages.push(record.message);
    this.records.push(record);
    this.manager.apply(record);
  }

  /** Adds a message of `tokens` tokens. Returns its id. */
  add(message: Message, tokens: number, recalled: readonly RecalledPassage[] = []): MessageId {
    const meta = { state: "complete", createdAtMs: this.#nowMs++, tokens: counts(tokens), recalled } as const;
    const record = this.manager.record(message, meta);
    this.store(record);
    return record.entry.id;
  }

  say(role: Role, tokens: number): MessageId {
    return this.add(textMessage(role, `${role} ${String(this.#messages.length)}`), tokens);
  }

  /** Adds a question, with the first parts of messages `ids` recalled for it, of `passageTokens` each, the best one first. */
  ask(tokens: number, ids: readonly number[], passageTokens: number): MessageId {
    const recalled = ids.map((id): RecalledPassage => {
      const end = textOfPart(this.message(messageId(id)).parts[0])?.length ?? 0;
      return { id: messageId(id), part: 0, start: 0, end, tokens: counts(passageTokens) };
    });
    return this.add(textMessage("user", `user ${String(this.#messages.length)}`), tokens, recalled);
  }

  /** Adds a question and its answer. */
  turn(questionTokens: number, answerTokens: number): void {
    this.say("user", questionTokens);
    this.say("assistant", answerTokens);
  }

  turns(count: number, questionTokens: number, answerTokens: number): void {
    for (let turn = 0; turn < count; turn++) this.turn(questionTokens, answerTokens);
  }

  /** Adds an assistant message with one call per result, and the messages with the results. */
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

  /** Summarizes messages `start` to `end` (exclusive) into `tokens` tokens. */
  summarize(start: number, end: number, tokens: number, by?: string): void {
    const ids = Array.from({ length: end - start }, (_, index) => messageId(start + index));
    const pending = runSync(this.manager.prepareSummarization(ids));
    assert.ok(pending !== undefined, `messages ${String(start)} to ${String(end)} can be summarized`);
    assert.ok(this.complete(pending, tokens, "conversation", by), "the summary is accepted");
  }

  /** Completes a summary with a text of `tokens` tokens. Returns whether it was accepted. */
  complete(pending: PendingSummarization, tokens: number, kind: SummaryKind = "conversation", by?: string): boolean {
    const content = `summary ${String(pending.id)} of ${String(pending.covers.start)} to ${String(pending.covers.end)}`;
    const draft = { content, tokens: counts(tokens), kind, factsKept: 0, factsTotal: 0, createdAtMs: this.#nowMs++ };
    const completed = this.manager.completeSummarization(pending, draft, by ?? "test-model");
    if (completed.ok) this.store(completed.value);
    return completed.ok;
  }

  setSummaryState(id: number, state: SummaryState): void {
    this.#storeOk(this.manager.summaryStateRecord(summaryId(id), state, this.#nowMs++));
  }
  pin(id: number): void {
    this.#storeOk(this.manager.pinRecord(messageId(id), this.#nowMs++));
  }
  unpin(id: number): void {
    this.#storeOk(this.manager.unpinRecord(messageId(id), this.#nowMs++));
  }
  hide(start: number, end: number): void {
    this.#storeOk(this.manager.hideRecord(range(start, end), this.#nowMs++));
  }
  show(start: number, end: number): void {
    this.#storeOk(this.manager.showRecord(range(start, end), this.#nowMs++));
  }
  /** Stores a switch to another model. */
  switchTo(model: string): void {
    this.store({ kind: "model", provider: "test", model: modelId(model), atMs: this.#nowMs++ });
  }

  /** Executes the plan for `trigger` with summaries of their target sizes. */
  compact(trigger: CompactionTrigger): void {
    this.compactWith(trigger, ({ targetTokens }) => targetTokens);
  }

  /**
   * Executes the plan for `trigger` with summaries of the sizes given by `sizeOf`; 0 is an empty one. A refused one is
   * replaced by an extract of the target size.
   */
  compactWith(trigger: CompactionTrigger, sizeOf: (pending: PendingSummarization) => number): void {
    for (const step of this.manager.planCompaction(trigger)?.steps ?? []) {
      for (const span of step.spans) {
        for (const pending of runSync(this.manager.beginPlannedSummaries({ ...step, spans: [span] }))) {
          const size = this.ownCounts(sizeOf(pending));
          if (size > 0 && this.complete(pending, size, step.kind)) continue;
          assert.ok(this.complete(pending, this.ownCounts(pending.targetTokens), "extract"), "an extract is accepted");
        }
      }
    }
  }

  /** The most raw tokens of a text that the model counts as `modelTokens`. */
  ownCounts(modelTokens: number): number {
    return Math.floor(modelTokens / countingFormula(this.manager.model).ratio);
  }

  /** The prepared request. Fails if there is none. */
  ready(): PreparedContext {
    const prepared = this.manager.prepare();
    assert.ok(prepared.kind === "ready", `ready, not ${prepared.kind}`);
    return prepared.context;
  }

  /** The segments of the prepared request in short form, or the reason why there is none. */
  sent(): string {
    const prepared = this.manager.prepare();
    if (prepared.kind !== "ready") return prepared.kind;
    return prepared.context.segments.map(shortSegment).join(" ");
  }

  /**
   * Runs a script word by word: `8*40/60` eight turns of a question of 40 and an answer of 60 tokens, `u40` and `a60`
   * one message, `6*a60` six, `t20:30,50` a tool batch, `r40:3,5` a
   * question with passages of messages 3 and 5 of 20 tokens each, `S0-6:100` a summary of messages 0 to 6 of 100 tokens,
   * `edit0-6:90` the user's edit of it, `undo0`, `redo0`, `pin3`, `unpin3`, `hide2-4`, `show2-4`, `model:large`.
   */
  play(script: string): this {
    for (const word of script.split(" ")) if (word !== "") this.#playWord(word);
    return this;
  }

  /** The same conversation, replayed from its records. */
  reopened(): TestConversation {
    const again = new TestConversation(this.#options);
    for (const record of this.records) again.store(record);
    return again;
  }

  #playWord(word: string): void {
    const [, repeat = "1", what = ""] = /^(?:(\d+)[*])?(.+)$/.exec(word) ?? [];
    for (let time = 0; time < Number(repeat); time++) {
      const [verb = "", ...numbers] =
        /^([a-zA-Z]*)/
          .exec(what)
          ?.slice(1, 2)
          .concat(what.match(/\d+/g) ?? []) ?? [];
      const [first = 0, second = 0, third = 0] = numbers.map(Number);
      if (verb === "") this.turn(first, second);
      else if (verb === "u") this.say("user", first);
      else if (verb === "a") this.say("assistant", first);
      else if (verb === "t") this.toolBatch(first, numbers.slice(1).map(Number));
      else if (verb === "r") this.ask(first, numbers.slice(1).map(Number), 20);
      else if (verb === "S") this.summarize(first, second + 1, third);
      else if (verb === "edit") this.summarize(first, second + 1, third, "user");
      else if (verb === "undo") this.setSummaryState(first, "undone");
      else if (verb === "redo") this.setSummaryState(first, "active");
      else if (verb === "pin" || verb === "unpin") this[verb](first);
      else if (verb === "hide" || verb === "show") this[verb](first, second + 1);
      else if (verb === "model") this.switchTo(what.slice("model:".length));
      else assert.fail(`unknown word of a script: ${word}`);
    }
  }

  #storeOk(
    made: { readonly ok: true; readonly value: ConversationRecord } | { readonly ok: false; readonly error: unknown },
  ): void {
    assert.ok(made.ok, made.ok ? "" : JSON.stringify(made.error));
    this.store(made.value);
  }
}
