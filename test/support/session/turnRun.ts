/** Turns on an in-memory store, with their events and the disk's content. */

import { randomUUID } from "node:crypto";
import { ContextManager } from "../../../src/core/context/contextManager.ts";
import { Conversation } from "../../../src/core/conversation/conversation.ts";
import type { MessageCounter } from "../../../src/core/tokens/messageCounter.ts";
import { DEFAULT_CONTEXT_SETTINGS } from "../../../src/core/context/contextSettings.ts";
import { NO_OVERHEAD } from "../../../src/core/context/request/requestOverhead.ts";
import type { MessageRecord } from "../../../src/core/history/records.ts";
import { messageId, modelId } from "../../../src/core/ids.ts";
import { StreamJournal } from "../../../src/core/journal/streamJournal.ts";
import { ToolJournal } from "../../../src/core/journal/toolJournal.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { Approvals } from "../../../src/core/tools/approvals.ts";
import type { Tool } from "../../../src/core/tools/tool.ts";
import { settleRecovery } from "../../../src/core/turn/settleRecovery.ts";
import { runTurn } from "../../../src/core/turn/turn.ts";
import type { TurnDeps, TurnHost } from "../../../src/core/turn/turnDeps.ts";
import type { TurnEvent } from "../../../src/core/turn/turnEvent.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

export interface TurnSetup extends Partial<Pick<TurnHost, "maxRounds" | "isClosing">> {
  readonly provider: Provider;
  readonly tools?: readonly Tool[];
  readonly approvals?: Approvals;
  readonly disk?: MemoryDisk;
}

export interface TurnWorld {
  readonly deps: TurnDeps;
  readonly store: MemoryStore;
  readonly disk: MemoryDisk;
  /** Sends "Q", or continues an open batch. Returns all events of the turn. */
  run(cancel?: CancelSignal, onEvent?: (event: TurnEvent) => void): Promise<readonly TurnEvent[]>;
  messages(): readonly Message[];
}

export const allowAll: Approvals = { isAutomatic: () => true, ask: () => Promise.reject(new Error("not asked")) };

/** Dependencies of turns in the conversation of `store`, after recovery from a crash. */
export async function openForTurns(
  store: ConversationStore,
  setup: Omit<TurnSetup, "disk">,
  messageCounter: MessageCounter,
): Promise<TurnDeps> {
  let nowMs = 1_000;
  const clock: Clock = { nowMs: () => (nowMs += 10), after: () => () => undefined };
  const manager = new ContextManager({
    registry: new ModelRegistry(),
    model: modelId("claude-haiku-4-5"),
    settings: DEFAULT_CONTEXT_SETTINGS,
    overhead: NO_OVERHEAD,
    readMessages: async (ids) => {
      const read = await store.readMessages(ids);
      return read.ok ? ok(read.value.map(({ message }) => message)) : read;
    },
  });
  const index = await store.readIndex(0, store.shape.recordCount);
  if (index.ok) for (const record of index.value) manager.apply(record);
  const conversation = new Conversation(store, manager, clock);
  const deps: TurnDeps = {
    conversation,
    clock,
    messageCounter,
    toolJournal: new ToolJournal(conversation.store, clock),
    journal: new StreamJournal(conversation.store, clock),
    newUuid: randomUUID,
    host: {
      provider: setup.provider,
      tools: setup.tools ?? [],
      noteIgnoredTools: () => undefined,
      maxRounds: setup.maxRounds ?? 50,
      get isClosing() {
        return setup.isClosing ?? false;
      },
      beforeRequest: () => Promise.resolve(ok(undefined)),
    },
    approvals: setup.approvals ?? allowAll,
  };
  const settled = await settleRecovery(store.shape.journal, deps);
  if (!settled.ok) throw new Error(JSON.stringify(settled.error));
  return deps;
}

/** Sends "Q", or continues an open batch or after tool results. Yields the events of the turn. */
export async function* askOrGoOn(deps: TurnDeps, cancel: CancelSignal): AsyncGenerator<TurnEvent> {
  const { conversation, clock, toolJournal } = deps;
  const { history } = conversation;
  if (toolJournal.batch === undefined && history.entries.at(-1)?.batch === undefined) {
    const message = textMessage("user", "Q");
    const tokens = await deps.messageCounter.count(message);
    const record = conversation.context.record(message, { state: "complete", createdAtMs: clock.nowMs(), tokens });
    const stored = await conversation.change([record]);
    if (!stored.ok) throw new Error(JSON.stringify(stored.error));
  }
  yield* runTurn({ asked: messageId(history.length - 1) }, deps, cancel);
}

export async function turnWorld(setup: TurnSetup): Promise<TurnWorld> {
  const disk = setup.disk ?? memoryDisk();
  const store = new MemoryStore(disk);
  const counter = testTokenCounter();
  const deps = await openForTurns(store, setup, { count: (message) => Promise.resolve(counter.countMessage(message)) });
  return {
    deps,
    store,
    disk,
    run: async (cancel = new AbortController().signal, onEvent = () => undefined) => {
      const events: TurnEvent[] = [];
      for await (const event of askOrGoOn(deps, cancel)) {
        events.push(event);
        onEvent(event);
      }
      return events;
    },
    messages: () =>
      disk.records.filter((record): record is MessageRecord => record.kind === "message").map(({ message }) => message),
  };
}

/** Tool results in messages: call id, outcome, text. */
export function resultsIn(messages: readonly Message[]): readonly (readonly [string, string, string])[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "toolResult" ? [[part.callId, part.outcome, part.text] as const] : [])),
  );
}

/** Ids of calls that the next message does not answer. */
export function orphansIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }, index) => {
    const answered = new Set(
      messages[index + 1]?.parts.flatMap((part) => (part.kind === "toolResult" ? [part.callId] : [])),
    );
    return parts.flatMap((part) => (part.kind === "toolCall" && !answered.has(part.callId) ? [part.callId] : []));
  });
}
