/** A session as the host opens one, over a store in memory and a provider that a test scripts. */

import { randomUUID } from "node:crypto";
import { ContextManager } from "../../src/core/context/contextManager.ts";
import { NO_OVERHEAD } from "../../src/core/context/requestOverhead.ts";
import { modelId, parseConversationId } from "../../src/core/ids.ts";
import { ToolJournal } from "../../src/core/journal/toolJournal.ts";
import type { Message, TokenCounts } from "../../src/core/message.ts";
import { ModelRegistry } from "../../src/core/models/modelRegistry.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { Provider } from "../../src/core/stream/provider.ts";
import { ok } from "../../src/core/result.ts";
import type { Tool } from "../../src/core/tools/tool.ts";
import { settleLeftovers } from "../../src/core/turn/leftovers.ts";
import { Session } from "../../src/host/session/session.ts";
import type { SessionEnvironment } from "../../src/host/session/sessionEnvironment.ts";
import { readSettings, type Settings } from "../../src/host/editor/settings.ts";
import { lastShown, type ModelChange } from "../../src/host/transcript/foldIndex.ts";
import { modelNotice } from "../../src/host/transcript/modelNotice.ts";
import { Transcript } from "../../src/host/transcript/transcript.ts";
import type { Banner, Row, ToViewBody } from "../../src/protocol/toView.ts";
import { TEST_MODELS } from "./conversation.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "./memoryStore.ts";
import { testTokenCounter } from "./tokenCounter.ts";

/** A session, and what it told the view. */
export interface OpenedSession {
  readonly session: Session;
  readonly store: MemoryStore;
  readonly disk: MemoryDisk;
  readonly emitted: ToViewBody[];
  readonly banners: (Banner | null)[];
  /** How far summaries are, as it was told: percent, and whether the user waits. */
  readonly progress: (readonly [number | null, boolean])[];
  /** What was said of finished ones. */
  readonly saved: (string | null)[];
  /** The rows that the view shows now. */
  readonly rows: () => readonly Row[];
}

/** What is around a session of a test. */
export interface SessionSetup {
  readonly tools?: readonly Tool[];
  /** The user trusts the folder that is open; by default they do. */
  readonly isTrusted?: boolean;
  /** Names of the tools that are allowed for good; grows. */
  readonly always?: Set<string>;
  /** Whether the model can call tools; by default it can. */
  readonly canCall?: () => boolean;
  /** Whether a tool can do anything in this window; every one can by default. */
  readonly worksHere?: (name: string) => boolean;
  /** Settings by the names of the manifest, without `forge.`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Who answers; one of {@link TEST_MODELS} has a small window. */
  readonly model?: string;
  /** Tells one conversation from another. */
  readonly number?: number;
  /** Absent: one that moves by itself, and never rings. */
  readonly clock?: Clock;
}

/** Opens what is on `disk`, which outlives the session as a file does. `onEmit` sees each body before it is shown. */
export async function openSession(
  provider: Provider,
  disk: MemoryDisk = memoryDisk(),
  onEmit: (body: ToViewBody) => void = () => undefined,
  {
    tools = [],
    isTrusted = true,
    always = new Set(),
    canCall = () => true,
    worksHere = () => true,
    settings = {},
    model = "claude-haiku-4-5",
    number = 1,
    ...setup
  }: SessionSetup = {},
): Promise<OpenedSession> {
  const store = new MemoryStore(disk);
  const counter = testTokenCounter();
  const countTokens = (message: Message): Promise<TokenCounts> => Promise.resolve(counter.countMessage(message));
  const registry = new ModelRegistry();
  registry.setOverrides(TEST_MODELS);
  const settingsNow = (): Settings => readSettings((name) => settings[name], {});
  const manager = new ContextManager({
    registry,
    model: modelId(model),
    settings: settingsNow().context,
    overhead: NO_OVERHEAD,
    readMessages: async (ids) => {
      const read = await store.readMessages(ids);
      return read.ok ? ok(read.value.map(({ message }) => message)) : read;
    },
  });
  const index = await store.readIndex(0, store.shape.recordCount);
  const modelChanges: ModelChange[] = [];
  for (const record of index.ok ? index.value : []) {
    manager.apply(record);
    if (record.kind === "model") modelChanges.push({ behind: lastShown(manager.history), record });
  }

  let nowMs = 1_000_000;
  const clock: Clock = setup.clock ?? { nowMs: () => (nowMs += 10), after: () => () => undefined };
  const toolJournal = new ToolJournal(store, clock);
  const leftovers = { store, manager, toolJournal, clock, newUuid: randomUUID, countTokens };
  const settled = await settleLeftovers(store.shape.journal, leftovers);
  if (!settled.ok) throw new Error(JSON.stringify(settled.error));
  const emitted: ToViewBody[] = [];
  const banners: (Banner | null)[] = [];
  const progress: [number | null, boolean][] = [];
  const saved: (string | null)[] = [];
  const emit = (body: ToViewBody): void => {
    onEmit(body);
    emitted.push(body);
  };
  const environment: SessionEnvironment = {
    clock,
    newUuid: randomUUID,
    counter,
    countTokens,
    registry,
    settings: settingsNow,
    ruleFiles: () => Promise.resolve([]),
    tools: {
      registered: () => [],
      of: () => tools,
      isTrusted: () => isTrusted,
      staysInConversation: (name) => name === "recall_history",
      worksHere,
      canCall,
      offerAgain: () => undefined,
      allowedAlways: () => [...always],
      allowAlways: (name) => Promise.resolve(void always.add(name)),
      askAgain: (name) => Promise.resolve(void always.delete(name)),
    },
    picked: () => undefined,
    summarizerModel: (main) => main.model,
    emit,
    changed: () => undefined,
    showBanner: (banner) => banners.push(banner),
    refreshView: () => undefined,
    progress: (percent, isAwaited) => progress.push([percent, isAwaited]),
    saved: (text) => saved.push(text),
    bug: (error) => {
      throw error;
    },
  };
  const transcript = new Transcript(
    {
      history: manager.history,
      store,
      clock,
      encoding: () => "cl100k",
      summaryMeta: () => "",
      noticesBehind: (id) => modelChanges.filter(({ behind }) => behind === id).map(modelNotice),
    },
    emit,
  );
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  if (id === undefined) throw new Error("the id of the test's conversation is well-formed");
  const session = new Session({
    opened: {
      id,
      folder: "",
      store,
      lease: { folder: "", file: "", release: () => Promise.resolve(ok(undefined)) },
      manager,
      toolJournal,
      undecided: settled.value,
      modelChanges,
    },
    transcript,
    connection: {
      providerName: "anthropic",
      provider,
      model: modelId(model),
      isLanguageModel: true,
      why: "Picked for this conversation",
    },
    environment,
  });
  await session.tools.refresh();
  await transcript.load(session.rowsBehindHistory());
  return { session, store, disk, emitted, banners, progress, saved, rows: () => transcript.page.rows };
}
