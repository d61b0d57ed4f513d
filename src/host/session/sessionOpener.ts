/** Makes a session of a conversation on disk: opens it, finds who answers, and reads its newest page. */

import path from "node:path";
import { ContextManager } from "../../core/context/contextManager.ts";
import type { RequestOverhead } from "../../core/context/requestOverhead.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { ConversationId, ModelId, NewUuid } from "../../core/ids.ts";
import type { Message, TokenCounts } from "../../core/message.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { countingFormula } from "../../core/tokens/countingFormula.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Connection, Connections } from "../connections/connections.ts";
import { SYSTEM_PROMPT } from "../connections/instructions.ts";
import { originNotices } from "../transcript/originNotices.ts";
import { lastModelIn } from "../connections/lastModel.ts";
import { lazy } from "../background/lazy.ts";
import type { LearnedCounting } from "../connections/learnedCounting.ts";
import { openConversation, unlessLetGo, type OpenConversation } from "../transcript/openConversation.ts";
import type { Presenter } from "./presenter.ts";
import { goOnWith, settle } from "../transcript/goOnWith.ts";
import { modelNotice } from "../transcript/modelNotice.ts";
import { Session } from "./session.ts";
import type { SessionEnvironment, ToolWorld } from "./sessionEnvironment.ts";
import type { Settings } from "../editor/settings.ts";
import { summaryMeta } from "../transcript/summaryMeta.ts";
import { Transcript } from "../transcript/transcript.ts";

/** What opening needs from around it. */
export interface SessionOpenerOptions {
  /** Folder of the shipped files. */
  readonly dist: string;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  readonly registry: ModelRegistry;
  readonly connections: Pick<Connections, "remember" | "resolve" | "summarizerModel">;
  readonly settings: () => Settings;
  readonly tools: ToolWorld;
  readonly ruleFiles: SessionEnvironment["ruleFiles"];
  readonly presenter: Presenter;
  readonly emit: (body: ToViewBody) => void;
  readonly refreshView: () => void;
  /** What replies have taught about the counting of models. */
  readonly counting: LearnedCounting;
  /** The open conversation changed in a way that its listing shows. */
  readonly noteChange: () => void;
  readonly bug: (error: unknown) => void;
}

/** Opens sessions. The token tables are loaded with the first one. */
export class SessionOpener {
  readonly #options: SessionOpenerOptions;
  /** Built in slices of a few milliseconds; 17 MB for each encoding, so not before it is needed. */
  readonly counter: () => Promise<Result<TokenCounter, ForgeError>>;

  constructor(options: SessionOpenerOptions) {
    this.#options = options;
    this.counter = lazy(async () => {
      const { loadTokenCounter } = await import("../../adapters/tiktoken/rankFiles.ts");
      return loadTokenCounter(path.join(options.dist, "ranks"));
    });
  }

  /** Opens the conversation in `folder` and puts a session around it. */
  async open(place: {
    readonly id: ConversationId;
    readonly folder: string;
    readonly takeOverUnknown: boolean;
  }): Promise<Result<Session, ForgeError>> {
    const { clock, newUuid, dist, connections } = this.#options;
    await this.#options.counting.load();
    const counter = await this.counter();
    if (!counter.ok) return err(notAsShipped(counter.error));
    const countTokens = (message: Message): Promise<TokenCounts> =>
      counter.value.countInSlices(message, () => new Promise((resolve) => setImmediate(resolve)));
    const systemTokens = await countTokens({ role: "system", parts: [{ kind: "text", text: SYSTEM_PROMPT }] });
    const automatic = await connections.resolve(undefined);
    const opened = await openConversation({
      ...place,
      dist,
      clock,
      newUuid,
      countTokens,
      makeManager: (store, model = automatic.model) => this.#manager(store, systemTokens, model),
    });
    if (!opened.ok) return opened;
    const environment = this.#environment(counter.value, countTokens);
    return await unlessLetGo(opened.value, () => this.#sessionOf(opened.value, automatic, environment));
  }

  async #sessionOf(
    opened: OpenConversation,
    automatic: Connection,
    environment: SessionEnvironment,
  ): Promise<Result<Session, ForgeError>> {
    const { connections, emit } = this.#options;
    const { manager } = opened;
    const chosen = manager.history.model;
    const lastModel = lastModelIn(manager.history);
    const isSettled = chosen === undefined && (automatic.isLanguageModel || lastModel === undefined);
    const connection = isSettled ? automatic : await connections.resolve(chosen, lastModel);
    await goOnWith(manager, connection.model);
    manager.configure({});
    const transcript = this.#transcript(opened, emit);
    const session = new Session({ opened, transcript, connection, environment });
    await session.tools.refresh();
    await settle(manager);
    const loaded = await transcript.load(session.rowsBehindHistory());
    return loaded.ok ? ok(session) : loaded;
  }

  #manager(store: ConversationStore, systemTokens: TokenCounts, model: ModelId): ContextManager {
    const overhead: RequestOverhead = {
      systemPrompt: SYSTEM_PROMPT,
      systemTokens,
      tools: [],
      toolsTokens: ZERO,
    };
    return new ContextManager({
      registry: this.#options.registry,
      calibrations: this.#options.counting.calibrations,
      model,
      settings: this.#options.settings().context,
      overhead,
      readMessages: async (ids) => {
        const read = await store.readMessages(ids);
        return read.ok ? ok(read.value.map(({ message }) => message)) : read;
      },
    });
  }

  #transcript(opened: OpenConversation, emit: (body: ToViewBody) => void): Transcript {
    const { manager } = opened;
    return new Transcript(
      {
        history: manager.history,
        store: opened.store,
        clock: this.#options.clock,
        encoding: () => countingFormula(manager.model).encoding,
        summaryMeta: (summary) => summaryMeta(summary, manager.history.spending.receipts),
        noticesBehind: (id) => [
          ...originNotices(manager.history, id),
          ...opened.modelChanges.filter((change) => change.behind === id).map(modelNotice),
        ],
      },
      emit,
    );
  }

  #environment(counter: TokenCounter, countTokens: (message: Message) => Promise<TokenCounts>): SessionEnvironment {
    const {
      clock,
      newUuid,
      settings,
      registry,
      tools,
      ruleFiles,
      connections,
      presenter,
      emit,
      refreshView,
      noteChange,
      bug,
    } = this.#options;
    return {
      clock,
      newUuid,
      counter,
      countTokens,
      settings,
      registry,
      tools,
      ruleFiles,
      picked: (connection) => {
        connections.remember(connection);
      },
      summarizerModel: (main) => connections.summarizerModel(main),
      emit,
      changed: () => {
        presenter.update();
        noteChange();
      },
      showBanner: (banner) => {
        presenter.showBanner(banner);
      },
      refreshView,
      progress: (percent, isAwaited) => {
        presenter.showProgress(percent, isAwaited);
      },
      saved: (text) => {
        presenter.showSaved(text);
      },
      bug,
    };
  }
}

/** The token tables come with Forge: nothing is wrong with the conversation. */
function notAsShipped(error: ForgeError): ForgeError {
  return error.code === "STORAGE_FAILED" ? { ...error, reason: "engineChanged" } : error;
}

const ZERO: TokenCounts = { cl100k: 0, o200k: 0 };
