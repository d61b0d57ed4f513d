/** A session as the host opens one, over a store in memory and a provider that a test scripts. */

import { randomUUID } from "node:crypto";
import { modelId, parseConversationId } from "../../../src/core/ids.ts";
import type { Message, TokenCounts } from "../../../src/core/message.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";
import type { Tool } from "../../../src/core/tools/tool.ts";
import type { Connection } from "../../../src/host/connections/connections.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { SessionView } from "../../../src/host/session/sessionView.ts";
import type { SessionServices } from "../../../src/host/session/sessionServices.ts";
import { newContext, startSession } from "../../../src/host/session/startSession.ts";
import { readConversation } from "../../../src/host/opening/openConversation.ts";
import type { Banner, Row, ToViewBody } from "../../../src/protocol/toView.ts";
import { TEST_MODELS } from "./conversation.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

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
  readonly supportsTools?: () => boolean;
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
  /** Shows the session, in the place of what records what it is told. */
  readonly view?: SessionView;
  /** Where its files are; absent: nowhere. */
  readonly folder?: string;
  /** In the place of one on the disk in memory. */
  readonly stored?: ConversationStore;
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
    supportsTools = () => true,
    worksHere: isAvailable = () => true,
    settings = {},
    model = "claude-haiku-4-5",
    number = 1,
    ...setup
  }: SessionSetup = {},
): Promise<OpenedSession> {
  const store = new MemoryStore(disk);
  const counter = testTokenCounter();
  const messageCounter = { count: (message: Message) => Promise.resolve(counter.countMessage(message)) };
  const registry = new ModelRegistry();
  registry.setOverrides(TEST_MODELS);
  let nowMs = 1_000_000;
  const clock: Clock = setup.clock ?? { nowMs: () => (nowMs += 10), after: () => () => undefined };
  const emitted: ToViewBody[] = [];
  const banners: (Banner | null)[] = [];
  const progress: [number | null, boolean][] = [];
  const saved: (string | null)[] = [];
  const connection: Connection = {
    providerName: "anthropic",
    provider,
    model: modelId(model),
    isLanguageModel: true,
    why: "Picked for this conversation",
  };
  const connections = {
    rememberChoice: () => undefined,
    summarizerModel: (main: Connection) => main.model,
    resolve: () => Promise.resolve(connection),
  };
  const services: SessionServices = {
    clock,
    newUuid: randomUUID,
    counter,
    messageCounter,
    registry,
    settings: {
      get current() {
        return readSettings((name) => settings[name], {});
      },
    },
    rules: { files: () => Promise.resolve([]) },
    connections,
    tools: {
      extensionTools: () => [],
      createConversationTools: () => tools,
      isTrusted: () => isTrusted,
      readsOnlyConversation: (name) => name === "recall_history",
      isAvailable,
      supportsTools,
      forgetRefusal: () => undefined,
      alwaysAllowed: () => [...always],
      allowAlways: (name) => Promise.resolve(void always.add(name)),
      revokeAlwaysAllowed: (name) => Promise.resolve(void always.delete(name)),
    },
    view: setup.view ?? {
      post: (body) => {
        onEmit(body);
        emitted.push(body);
      },
      refresh: () => undefined,
      update: () => undefined,
      afterChange: () => undefined,
      showBanner: (banner) => void banners.push(banner),
      showProgress: (percent, isAwaited) => void progress.push([percent, isAwaited]),
      showSaved: (text) => void saved.push(text),
    },
    reportBug: (error) => {
      throw error;
    },
  };
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  if (id === undefined) throw new Error("the id of the test's conversation is well-formed");
  const lease = { folder: "", file: "", release: () => Promise.resolve(ok(undefined)) };
  const opened = await readConversation(
    {
      id,
      folder: setup.folder ?? "",
      clock,
      newUuid: randomUUID,
      messageCounter,
      makeManager: (reader, first = modelId(model)) => newContext(reader, NO_TOKENS, first, services),
    },
    { store: setup.stored ?? store, lease },
  );
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const started = await startSession(opened.value, connection, connections, services);
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const session = started.value;
  return { session, store, disk, emitted, banners, progress, saved, rows: () => session.transcript.page.rows };
}

const NO_TOKENS: TokenCounts = { cl100k: 0, o200k: 0 };
