/** A conversation of real texts, compacted by the host's compaction with scripted models. */

import { Conversation } from "../../../src/core/conversation/conversation.ts";
import assert from "node:assert/strict";
import { ContextManager } from "../../../src/core/context/contextManager.ts";
import type { CompactionTrigger } from "../../../src/core/context/plan/compactionPlanner.ts";
import { readContextSettings } from "../../../src/core/context/contextSettings.ts";
import { NO_OVERHEAD } from "../../../src/core/context/request/requestOverhead.ts";
import type { UsageCalibrations } from "../../../src/core/context/usage/usageCalibrations.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import type { CompactionReceipt, ConversationRecord } from "../../../src/core/history/records.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import { SummarizerRecords } from "../../../src/core/summary/quality/summarizerRecords.ts";
import { runCompaction } from "../../../src/host/session/summaries/compaction.ts";
import type { CompactionOrder } from "../../../src/host/session/summaries/compactionOrder.ts";
import { realClock } from "../clocks.ts";
import { TEST_MODELS, type GivenSettings } from "./conversation.ts";
import { MemoryStore } from "../storage/memoryStore.ts";
import { type Asked, ScriptedModel, type Script } from "../models/scriptedModel.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

export interface SpokenOptions {
  readonly model?: string;
  readonly settings?: GivenSettings;
  readonly calibrations?: UsageCalibrations;
  /** Absent: an empty in-memory store. {@link SpokenConversation.fold} reads its content. */
  readonly store?: ConversationStore;
}

export class SpokenConversation {
  readonly manager: ContextManager;
  readonly store: ConversationStore;
  readonly #registry = new ModelRegistry();

  constructor({ model = "small", settings = {}, calibrations, store = new MemoryStore() }: SpokenOptions = {}) {
    this.store = store;
    assert.ok(this.#registry.setOverrides(TEST_MODELS).ok);
    this.manager = new ContextManager({
      registry: this.#registry,
      settings: readContextSettings((name) => settings[name]),
      model: modelId(model),
      overhead: NO_OVERHEAD,
      ...(calibrations === undefined ? {} : { calibrations }),
      readMessages: async (ids) => {
        const read = await this.store.readMessages(ids);
        return read.ok ? ok(read.value.map(({ message }) => message)) : read;
      },
    });
  }

  /** Loads the store's records, as opening does. */
  async fold(): Promise<this> {
    const index = await this.store.readIndex(0, this.store.shape.recordCount);
    assert.ok(index.ok);
    for (const record of index.value) this.manager.apply(record);
    return this;
  }

  /** Text of the next request, or its status if nothing can be sent. */
  async sent(): Promise<string> {
    const prepared = this.manager.prepare();
    if (prepared.kind !== "ready") return prepared.kind;
    const read = await prepared.context.apiMessages();
    assert.ok(read.ok);
    return read.value.map((message) => `${message.role}: ${JSON.stringify(message.parts)}`).join("\n");
  }

  /** Adds messages with their real token counts. */
  async say(...messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      const tokens = testTokenCounter().countMessage(message);
      await this.keep(this.manager.record(message, { state: "complete", createdAtMs: 1, tokens }));
    }
  }

  async keep(record: ConversationRecord): Promise<void> {
    assert.ok((await this.store.commit([{ kind: "record", record }])).ok);
    this.manager.apply(record);
  }

  /** Compacts. Returns the result and the model's requests. Without a script no model is used. */
  async compact(
    order: CompactionTrigger | CompactionOrder,
    script?: Script,
    cancel: AbortSignal = new AbortController().signal,
  ): Promise<{
    readonly done: Result<CompactionReceipt | undefined, ForgeError>;
    readonly asked: readonly Asked[];
  }> {
    const model = script === undefined ? undefined : new ScriptedModel(script);
    const { manager } = this;
    const writer = { model: manager.model, provider: model };
    const done = await runCompaction(
      typeof order === "string" ? { trigger: order } : order,
      {
        conversation: new Conversation(this.store, manager, realClock),
        counter: testTokenCounter(),
        registry: this.#registry,
        clock: realClock,
        records: new SummarizerRecords(() => manager.history.spending.receipts),
        writers: { small: writer, main: writer },
        onEvent: () => undefined,
      },
      cancel,
    );
    return { done, asked: model?.asked ?? [] };
  }
}
