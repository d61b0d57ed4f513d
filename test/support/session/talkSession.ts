/** A conversation with real texts, stored, counted and compacted as in the application, with a scripted summarizer. */

import assert from "node:assert/strict";
import { ContextManager } from "../../../src/core/context/contextManager.ts";
import { Conversation } from "../../../src/core/conversation/conversation.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { DEFAULT_CONTEXT_SETTINGS, type ContextPolicy } from "../../../src/core/context/contextSettings.ts";
import { recallForQuestion } from "../../../src/core/context/recalled/recallForQuestion.ts";
import { TokenCosts } from "../../../src/core/context/tokenCosts.ts";
import { NO_OVERHEAD, type RequestOverhead } from "../../../src/core/context/request/requestOverhead.ts";
import type { CompactionReceipt } from "../../../src/core/history/records.ts";
import { modelId, type MessageId } from "../../../src/core/ids.ts";
import { textMessage, type Message, type TokenCounts } from "../../../src/core/message.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import { SummarizerRecords } from "../../../src/core/summary/quality/summarizerRecords.ts";
import { runCompaction, type CompactionDeps } from "../../../src/host/session/summaries/compaction.ts";
import { recallHistory } from "../../../src/host/tools/recallHistory.ts";
import { conversationIdOf, NO_OTHERS } from "../search/otherConversations.ts";
import { MemoryStore } from "../storage/memoryStore.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

export interface TalkOptions {
  readonly policy: ContextPolicy;
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Absent: no model, extracts only. */
  readonly summarizer?: Provider;
  /** Window of the summarizing model; absent: that of the conversation. */
  readonly summarizerWindow?: number;
  /** Instructions and tools; absent: none. */
  readonly overhead?: RequestOverhead;
}

/** `text`: the passages with their headings; empty: nothing is recalled. */
export interface RecalledBesideQuestion {
  readonly ids: readonly MessageId[];
  readonly tokens: number;
  readonly text: string;
}

const MAIN = modelId("talk-main");
const SMALL = modelId("talk-small");
const ROOMY = modelId("talk-roomy");

export class TalkSession {
  readonly conversation: Conversation;
  readonly manager: ContextManager;
  readonly store = new MemoryStore();
  readonly #registry = new ModelRegistry();
  readonly #options: TalkOptions;
  #nowMs = 1_000;
  readonly #clock: Clock = { nowMs: () => this.#nowMs++, after: () => () => undefined };
  readonly #records = new SummarizerRecords(() => this.manager.history.spending.receipts);
  #originalTokens = 0;

  constructor(options: TalkOptions) {
    this.#options = options;
    const { contextWindow, maxOutput, summarizerWindow = contextWindow } = options;
    const set = this.#registry.setOverrides({
      [MAIN]: { contextWindow, maxOutput },
      [ROOMY]: { contextWindow: 10_000_000, maxOutput: 1_000 },
      [SMALL]: { contextWindow: summarizerWindow, maxOutput: Math.min(maxOutput, Math.floor(summarizerWindow / 4)) },
    });
    assert.ok(set.ok);
    this.manager = new ContextManager({
      registry: this.#registry,
      settings: { ...DEFAULT_CONTEXT_SETTINGS, strategy: options.policy },
      model: MAIN,
      adaptsToSmallWindows: true,
      overhead: options.overhead ?? NO_OVERHEAD,
      readMessages: async (ids) => {
        const read = await this.store.readMessages(ids);
        return read.ok ? ok(read.value.map(({ message }) => message)) : read;
      },
    });
    this.conversation = new Conversation(this.store, this.manager, this.#clock);
  }

  /** Tokens of all messages ever added, as counted by the conversation's model. */
  get originalTokens(): number {
    return this.#originalTokens;
  }

  /** Tokens of a message. */
  tokensOf(message: Message): number {
    return new TokenCosts(MAIN).ofMessage(countOnce(message));
  }

  async add(message: Message): Promise<void> {
    const record = this.manager.record(message, {
      state: "complete",
      createdAtMs: this.#nowMs++,
      tokens: countOnce(message),
    });
    assert.ok((await this.conversation.change([record])).ok);
    this.#originalTokens += this.tokensOf(message);
  }

  /** Compacts what is due for `trigger`. `undefined` if nothing is. */
  compact(trigger: CompactionReceipt["trigger"]): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    return runCompaction({ trigger }, this.compactionDeps(), new AbortController().signal);
  }

  compactionDeps(): CompactionDeps {
    const provider = this.#options.summarizer;
    return {
      conversation: this.conversation,
      counter: testTokenCounter(),
      registry: this.#registry,
      clock: this.#clock,
      records: this.#records,
      writers: { small: { model: SMALL, provider }, main: { model: MAIN, provider } },
      onEvent: () => undefined,
    };
  }

  /** Messages of a request with room for all and every summary undone. Changes nothing. */
  async originals(): Promise<readonly Message[]> {
    const all = this.manager.copy();
    for (const { id } of all.history.summaries) {
      const undone = all.summaryStateRecord(id, "undone", this.#nowMs);
      assert.ok(undone.ok);
      all.apply(undone.value);
    }
    all.switchModel(ROOMY);
    const prepared = all.prepare();
    assert.ok(prepared.kind === "ready");
    const messages = await prepared.context.apiMessages();
    assert.ok(messages.ok);
    return messages.value;
  }

  /** Texts of messages, in the order of `ids`. */
  async messages(ids: readonly MessageId[]): Promise<readonly string[]> {
    const read = await this.store.readMessages(ids);
    assert.ok(read.ok);
    return read.value.map(({ message }) => wordsOf(message));
  }

  /** Result of one `recall_history` call. */
  async recall(query: string): Promise<string> {
    const tool = recallHistory(
      {
        id: conversationIdOf(1),
        history: this.manager.history,
        store: this.store,
        sentAs: (id) => this.manager.sentAs(id),
        isRecalled: (id) => this.manager.isRecalled(id),
      },
      NO_OTHERS,
    );
    const { text } = await tool.run(JSON.stringify({ query }), new AbortController().signal);
    return text;
  }

  /** Passages that a request for `question` has beside it, as they would be sent. Changes nothing. */
  async recalledFor(question: string): Promise<RecalledBesideQuestion> {
    const message = textMessage("user", question);
    const sent = this.manager.sentTexts();
    const counter = { count: (counted: Message) => Promise.resolve(testTokenCounter().countMessage(counted)) };
    const recalled = sent === undefined ? [] : await recallForQuestion(message, sent, { store: this.store, counter });
    if (recalled.length === 0) return { ids: [], tokens: 0, text: "" };
    const asked = this.manager.copy({
      readMessages: async (ids) => {
        const others = ids.filter((id) => id < this.manager.history.length);
        const read = await this.store.readMessages(others);
        if (!read.ok) return read;
        const messages = new Map(read.value.map((stored) => [stored.entry.id, stored.message]));
        return ok(ids.map((id) => messages.get(id) ?? message));
      },
    });
    const meta = { state: "complete", createdAtMs: this.#nowMs, tokens: countOnce(message), recalled } as const;
    asked.apply(asked.record(message, meta));
    const prepared = asked.prepare();
    assert.ok(prepared.kind === "ready");
    const messages = await prepared.context.apiMessages();
    assert.ok(messages.ok);
    const { parts = [] } = messages.value.at(-1) ?? {};
    const text = parts.flatMap((part) => (part.kind === "attachment" ? [part.text] : [])).join("\n");
    const [segment] = prepared.context.segments.flatMap((each) => (each.kind === "recalled" ? [each] : []));
    return {
      ids: segment?.passages.map(({ id }) => id) ?? [],
      tokens: segment?.tokens ?? 0,
      text: text.replaceAll(/^> /gm, ""),
    };
  }

  /** The next request as one text. */
  async prompt(): Promise<string> {
    const prepared = this.manager.prepare();
    assert.ok(prepared.kind === "ready", `ready, not ${prepared.kind}`);
    const messages = await prepared.context.apiMessages();
    assert.ok(messages.ok);
    return messages.value.map(wordsOf).join("\n");
  }
}

/** All texts of a message, including those of tools. */
export function wordsOf(message: Message): string {
  return message.parts
    .map((part) => {
      if (part.kind === "toolCall") return `${part.name} ${part.inputJson}`;
      return part.kind === "image" ? "" : part.text;
    })
    .join("\n");
}

/** Counts by message, since sessions share messages. */
const counted = new WeakMap<Message, TokenCounts>();

function countOnce(message: Message): TokenCounts {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = testTokenCounter().countMessage(message);
  counted.set(message, tokens);
  return tokens;
}
