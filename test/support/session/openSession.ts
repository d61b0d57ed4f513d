/** A session as opened by the host, with an in-memory store and a scripted provider. */

import { randomUUID } from "node:crypto";
import { modelId, parseConversationId } from "../../../src/core/ids.ts";
import type { UsageCalibrations } from "../../../src/core/context/usage/usageCalibrations.ts";
import type { Project } from "../../../src/core/history/project.ts";
import type { Message, TokenCounts } from "../../../src/core/message.ts";
import { ModelRegistry, type ModelAbilities } from "../../../src/core/models/modelRegistry.ts";
import { ModelSpeeds, type RequestSpeed } from "../../../src/core/models/modelSpeeds.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";
import type { TokenCounter } from "../../../src/core/tokens/tokenCounter.ts";
import type { Tool } from "../../../src/core/tools/tool.ts";
import type { Connection } from "../../../src/host/connections/connections.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { SessionView } from "../../../src/host/session/sessionView.ts";
import type { SessionServices } from "../../../src/host/session/sessionServices.ts";
import { newContext, startSession } from "../../../src/host/session/startSession.ts";
import { readConversation } from "../../../src/host/opening/openConversation.ts";
import type { SummaryProgressView } from "../../../src/protocol/summaryView.ts";
import type { Banner, Row, ToViewBody } from "../../../src/protocol/toView.ts";
import { TEST_MODELS } from "./conversation.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import { summarizersOf } from "../models/summarizersOf.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

/** A session and its recorded messages to the view. */
export interface OpenedSession {
  readonly session: Session;
  readonly store: MemoryStore;
  readonly disk: MemoryDisk;
  readonly emitted: ToViewBody[];
  readonly banners: (Banner | null)[];
  /** Reported progress of summaries, and whether the user waits. */
  readonly progress: (readonly [SummaryProgressView | null, boolean])[];
  /** Lines of the log, oldest first. */
  readonly logged: readonly string[];
  readonly rows: () => readonly Row[];
}

export interface SessionSetup {
  readonly tools?: readonly Tool[];
  /** Whether the workspace is trusted; true by default. */
  readonly isTrusted?: boolean;
  /** Names of tools that are always allowed; grows. */
  readonly always?: Set<string>;
  /** Whether the model can call tools; true by default. */
  readonly supportsTools?: () => boolean;
  /** Called when a bill shows that the model's server drops tools. */
  readonly noteRefusal?: (model: string) => void;
  readonly providerName?: Connection["providerName"];
  /** Whether a tool works in this window; true by default. */
  readonly worksHere?: (name: string) => boolean;
  /** True for a tool that works in no folder that is open; always false by default. */
  readonly isUseless?: (name: string) => boolean;
  /** Token calibrations that are shared; absent: none. */
  readonly calibrations?: UsageCalibrations;
  /** Settings by their names without `forge.`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The model; those of {@link TEST_MODELS} have small windows. */
  readonly model?: string;
  /** As the model's provider reports them. */
  readonly abilities?: ModelAbilities;
  /** As the model's server reported it before. */
  readonly speed?: RequestSpeed;
  /** Number of the conversation. */
  readonly number?: number;
  /** Absent: a clock that moves by itself and fires no timers. */
  readonly clock?: Clock;
  /** Called before each request, as when a server is asked for its windows. */
  readonly onAskIfRestarted?: (registry: ModelRegistry) => void;
  /** Absent: that of the tests, which is built at once. */
  readonly counter?: TokenCounter;
  /** Writes the summaries; absent: the model that answers. */
  readonly summarizer?: Connection;
  /** Replaces the recording view. */
  readonly view?: SessionView;
  /** Folder of its files; absent: none. */
  readonly folder?: string;
  /** The projects that are open now; none by default. */
  readonly projects?: () => readonly Project[];
  /** Replaces the store on `disk`. */
  readonly stored?: ConversationStore;
}

/** Opens the conversation on `disk`, which outlives the session. `onEmit` receives each message before the view. */
export async function openSession(
  provider: Provider,
  disk: MemoryDisk = memoryDisk(),
  onEmit: (body: ToViewBody) => void = () => undefined,
  {
    tools = [],
    isTrusted = true,
    always = new Set(),
    supportsTools = () => true,
    noteRefusal = () => undefined,
    providerName = "anthropic",
    worksHere: isAvailable = () => true,
    isUseless = () => false,
    settings = {},
    model = "claude-haiku-4-5",
    number = 1,
    ...setup
  }: SessionSetup = {},
): Promise<OpenedSession> {
  const store = new MemoryStore(disk);
  const counter = setup.counter ?? testTokenCounter();
  const messageCounter = { count: (message: Message) => Promise.resolve(counter.countMessage(message)) };
  const registry = new ModelRegistry();
  registry.setOverrides(TEST_MODELS);
  registry.setAbilities(modelId(model), setup.abilities ?? {});
  const speeds = new ModelSpeeds();
  if (setup.speed !== undefined) speeds.note(modelId(model), setup.speed);
  let nowMs = 1_000_000;
  const clock: Clock = setup.clock ?? { nowMs: () => (nowMs += 10), after: () => () => undefined };
  const emitted: ToViewBody[] = [];
  const banners: (Banner | null)[] = [];
  const progress: [SummaryProgressView | null, boolean][] = [];
  const logged: string[] = [];
  const connection: Connection = {
    providerName,
    provider,
    model: modelId(model),
    isLanguageModel: true,
    ...(setup.abilities?.seesImages === undefined ? {} : { seesImages: setup.abilities.seesImages }),
    why: "Picked for this conversation",
  };
  const connections = {
    rememberChoice: () => undefined,
    askIfRestarted: () => {
      setup.onAskIfRestarted?.(registry);
      return Promise.resolve(false);
    },
    ...summarizersOf(setup.summarizer),
    resolve: () => Promise.resolve(connection),
  };
  const services: SessionServices = {
    clock,
    newUuid: randomUUID,
    counter,
    messageCounter,
    registry,
    speeds,
    settings: {
      get current() {
        return readSettings((name) => settings[name], {});
      },
    },
    rules: { files: () => Promise.resolve([]) },
    log: { info: (text) => void logged.push(text) },
    projects: { current: () => Promise.resolve(setup.projects?.() ?? []) },
    connections,
    ...(setup.calibrations === undefined ? {} : { counting: { calibrations: setup.calibrations } }),
    tools: {
      extensionTools: () => [],
      createConversationTools: () => tools,
      isTrusted: () => isTrusted,
      readsOnlyConversation: (name) => name === "recall_history",
      isAvailable,
      isUseless,
      supportsTools,
      forgetRefusal: () => undefined,
      noteRefusal,
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
      showProgress: (shown, isAwaited) => void progress.push([shown, isAwaited]),
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
  return { session, store, disk, emitted, banners, progress, logged, rows: () => session.transcript.page.rows };
}

const NO_TOKENS: TokenCounts = { cl100k: 0, o200k: 0 };
