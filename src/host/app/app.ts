/** Composition root: creates each object once, from those above it, and subscribes to events at the end. */

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import { SpendingLedger } from "../../adapters/node/spendingLedger.ts";
import { ModelRegistry } from "../../core/models/modelRegistry.ts";
import { ModelSpeeds } from "../../core/models/modelSpeeds.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import { CodeHandler } from "../code/codeHandler.ts";
import { ChatHandler } from "../chat/chatHandler.ts";
import { OpenConversationLog } from "../commands/openConversationLog.ts";
import { waitingSentence } from "../commands/showQuestion.ts";
import { UserCommands } from "../commands/userCommands.ts";
import { WalkthroughProgress } from "../commands/walkthroughProgress.ts";
import { Connections } from "../connections/connections.ts";
import { cutBanner } from "../connections/cutBanner.ts";
import { FoundServers, usualPorts } from "../connections/foundServers.ts";
import { lastUsage } from "../connections/lastUsage.ts";
import { CalibrationFile } from "../connections/calibrationFile.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import { ProviderFactory } from "../connections/providerFactory.ts";
import { Providers } from "../connections/providers.ts";
import { SpendingTracker } from "../connections/spendingTracker.ts";
import { warningBanner } from "../connections/spendingText.ts";
import { ContextActions } from "../context/contextActions.ts";
import { ContextPresenter } from "../context/contextPresenter.ts";
import { ChatPages } from "../conversations/chatPages.ts";
import { RecallFromOthers } from "../conversations/recallFromOthers.ts";
import { LazyImporting } from "../conversations/import/lazyImporting.ts";
import { Conversations } from "../conversations/conversations.ts";
import type { WindowFolders } from "../conversations/heldConversation.ts";
import { BugReporter } from "../editor/bugReporter.ts";
import { onViewSettingsChange } from "../editor/viewSettings.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { LiveSettings } from "../editor/liveSettings.ts";
import { isOfReplica, Secrets } from "../editor/secrets.ts";
import { createLog } from "../editor/createLog.ts";
import type { StatusBar } from "../editor/statusBar.ts";
import { settingProblemsBanner } from "../words/settingProblems.ts";
import { extensionVersion } from "../editor/extensionVersion.ts";
import { EditorChat } from "../editorChat/editorChat.ts";
import { FindInConversation } from "../find/findInConversation.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import { PastConversations } from "../mentions/pastConversations.ts";
import { WorkspaceRules } from "../ruleFiles/workspaceRules.ts";
import { LazyReplication } from "../replica/lazyReplication.ts";
import { ActiveSession } from "../session/activeSession.ts";
import { KeptSpace } from "../checkpoints/keptSpace.ts";
import type { Session } from "../session/session.ts";
import { countDraft } from "../view/draftTokens.ts";
import { lazy } from "../background/lazy.ts";
import { openInEditor } from "../view/revealMessage.ts";
import { Presenter } from "../view/presenter.ts";
import { WindowSources } from "../view/windowSources.ts";
import { SessionOpener } from "../session/sessionOpener.ts";
import { WaitingQuestions } from "../session/waitingQuestions.ts";
import { OpenProjects } from "../tools/git/openProjects.ts";
import { ToolSupport } from "../tools/toolSupport.ts";
import { ChangeKeeper } from "../tools/changeKeeper.ts";
import { ToolCatalog } from "../tools/toolCatalog.ts";
import { WindowTools } from "../tools/windowTools.ts";
import type { ChatSurface } from "../view/chatSurface.ts";
import { ChatViews } from "../view/chatViews.ts";
import { ChatCommandFocus, EditorCommandFocus } from "../view/commandFocus.ts";
import { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { createIconBadge } from "../view/iconBadge.ts";
import { UnreadBadge } from "../view/unreadBadge.ts";
import { BUG_BANNER } from "../words/bugBanner.ts";

/** Keys in the editor's global state. */
const REFUSED = "forge.refusedParameters";
const SPEEDS = "forge.modelSpeeds";

/** Lives as long as the window. */
export class ForgeApp implements vscode.Disposable {
  readonly editorChat: EditorChat;
  readonly #folders: WindowFolders;
  readonly #statusBar: StatusBar;
  readonly #bugs: BugReporter;
  readonly #models: ModelServices;
  readonly #conversations: Conversations;
  readonly #pages: ChatPages;
  readonly #commands: UserCommands;
  readonly #replication: LazyReplication;
  readonly #importing: LazyImporting;
  readonly #disposables: readonly { dispose(): unknown }[];

  /** Opens no conversation and no connection. */
  constructor(context: vscode.ExtensionContext, statusBar: StatusBar) {
    // The window.
    const dist = vscode.Uri.joinPath(context.extensionUri, "dist");
    const folders: WindowFolders = {
      storage: context.globalStorageUri.fsPath,
      dist: dist.fsPath,
      workspace: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()).join("\n"),
    };
    const globalState = context.globalState;
    const log = createLog(context);
    const bugs = new BugReporter(log);
    const registry = new ModelRegistry();
    const settings = new LiveSettings(registry, log);
    const icon = createIconBadge();
    const views = new ChatViews(dist, systemClock, icon);
    const tools = new WindowTools(folders.dist, bugs.report);
    const keeper = new ChangeKeeper(
      folders.dist,
      new KeptSpace(path.join(folders.storage, "conversations"), () => settings.current.keptFileBytes, systemClock),
    );
    const documents = new ReadOnlyDocuments();
    const active = new ActiveSession();
    const waiting = new WaitingQuestions(folders.storage, active, bugs.report);
    const window = {
      folders,
      memory: globalState,
      version: extensionVersion(context.extension),
      log,
      bugs,
      views,
      tools,
      keeper,
      documents,
      waiting,
    };

    // Providers.
    const secrets = new Secrets(context.secrets);
    const refused = new RefusedParameters({
      get: () => globalState.get(REFUSED),
      set: (value) => void globalState.update(REFUSED, value),
    });
    const speeds = new ModelSpeeds({
      get: () => globalState.get(SPEEDS),
      set: (value) => void globalState.update(SPEEDS, value),
    });
    const toolSupport = new ToolSupport(registry, refused);
    const ledger = new SpendingLedger(folders.storage);
    const spending = new SpendingTracker(ledger, registry, settings, active, systemClock, log);
    const factory = new ProviderFactory(refused, systemClock, () => settings.current.waits);
    const providers = new Providers(factory, spending, active, secrets, settings, vscode.lm);
    const connections = new Connections(providers, registry, settings, globalState, systemClock, log, bugs);
    const foundServers = new FoundServers(systemClock, globalState, usualPorts(process.env));
    const counting = new CalibrationFile(folders.storage, log);
    const models = {
      settings,
      secrets,
      registry,
      providers,
      connections,
      foundServers,
      toolSupport,
      speeds,
      spending,
      counting,
    };

    // View.
    const draft = {
      get draftTokens(): number | null {
        return presenter.draftTokens;
      },
    };
    const contextPresenter = new ContextPresenter(active, draft, views, systemClock, bugs);
    const conversationLog = new OpenConversationLog(log);
    const walkthrough = new WalkthroughProgress();
    const sources = new WindowSources(connections, foundServers, providers);
    const presenter: Presenter = new Presenter(views, statusBar, contextPresenter, sources);

    // The conversation.
    const rules = new WorkspaceRules(settings);
    const projects = new OpenProjects();
    const others = new RecallFromOthers(projects);
    const opener = new SessionOpener({
      dist: folders.dist,
      clock: systemClock,
      newUuid: randomUUID,
      registry,
      speeds,
      connections,
      settings,
      tools: new ToolCatalog(globalState, tools, toolSupport, others, keeper),
      projects,
      rules,
      counting,
      view: presenter,
      log,
      reportBug: bugs.report,
    });
    const conversations = new Conversations(
      folders,
      active,
      opener,
      connections,
      presenter,
      systemClock,
      randomUUID,
      log,
    );
    others.connect(conversations);
    const replication = new LazyReplication({
      folders,
      secrets,
      active,
      clock: systemClock,
      log,
      reportBug: bugs.report,
      memento: globalState,
    });
    const importing = new LazyImporting(conversations, folders, systemClock, log, bugs.report);
    const badge = new UnreadBadge(active, views);

    // Handlers of user actions.
    const attaching = new AttachmentHandler(
      folders.dist,
      tools,
      views,
      presenter,
      new PastConversations(conversations),
    );
    const pages = new ChatPages(context.extensionUri, views, conversations, bugs);
    const commandsOf = (keyboard: CommandFocus): UserCommands =>
      new UserCommands(
        window,
        models,
        conversations,
        presenter,
        contextPresenter,
        attaching,
        pages,
        replication,
        importing,
        keyboard,
      );
    const chatKeyboard = new ChatCommandFocus(views);
    const commands = commandsOf(chatKeyboard);
    const { modelPicker } = commands;
    const handler = new ChatHandler({
      window,
      conversations,
      presenter,
      commands,
      attaching,
      contextActions: new ContextActions(
        contextPresenter,
        models,
        modelPicker,
        presenter,
        documents,
        views,
        commands,
        replication,
        chatKeyboard,
      ),
      find: new FindInConversation(openInEditor),
      code: new CodeHandler(folders.dist, tools, documents, views),
    });
    views.connect(handler);
    this.editorChat = new EditorChat(conversations, handler, views, bugs);
    this.#commands = commandsOf(new EditorCommandFocus(views));

    this.#folders = folders;
    this.#statusBar = statusBar;
    this.#bugs = bugs;
    this.#models = models;
    this.#conversations = conversations;
    this.#pages = pages;
    this.#replication = replication;
    this.#importing = importing;

    // What each hears of the others.
    const update = (): void => {
      presenter.update();
    };
    const reconnect = (): void => {
      conversations.reconnect().catch(bugs.report);
    };
    const reset = (): void => {
      connections.reset();
      reconnect();
    };
    const setUpAnew = (): void => {
      active.session?.noteSetupChanged();
      reset();
    };
    const showSettingProblems = (): void => {
      const { problems } = settings.current;
      const areUnchanged = (): boolean => isDeepStrictEqual(settings.current.problems, problems);
      if (problems.length > 0) presenter.showBanner(settingProblemsBanner(problems), areUnchanged);
    };
    const finishRestore = async (session: Session): Promise<void> => {
      if (session.readOnlyReason !== undefined) return;
      const settled = await keeper.settleCommands(session.opened);
      if (!settled.ok) log.error(`What an interrupted command changed could not be kept: ${settled.error.detail}`);
      if (!(await session.opened.fileStates.isInterrupted())) return;
      const { finishInterruptedRestore } = await import("../commands/interruptedRestore.ts");
      await finishInterruptedRestore(session, presenter, folders.dist);
    };
    presenter.onDidShow((session) => {
      replication.follow(session);
      finishRestore(session).catch(bugs.report);
      countDraft(session, presenter).catch(bugs.report);
      tellOfPlace().catch(bugs.report);
      showSettingProblems();
    });
    presenter.onDidUpdate((session) => {
      conversationLog.logChanges(session);
      walkthrough.update(session);
      active.noteChange();
    });
    bugs.onDidReport(() => {
      presenter.showBanner(BUG_BANNER);
    });
    factory.onDidAnswer((name) => {
      connections.noteAnswered(name);
    });
    factory.onDidFail((failed) => {
      connections.recordFailure(failed);
    });
    factory.onDidMeasure(({ model, speed }) => {
      speeds.note(model, speed);
    });
    factory.onDidReportWindow(({ model, contextWindow }) => {
      connections.noteWindow(model, contextWindow);
    });
    factory.onDidCut((cut) => {
      connections.noteCut(cut);
      presenter.showBanner(cutBanner(cut), active.session?.model.whileUnchanged());
    });
    connections.onDidLearn(reconnect);
    connections.onDidChangeUnreachable(update);
    connections.onDidFindNothing(() => {
      foundServers.searchIfDue().catch(bugs.report);
    });
    foundServers.onDidChange(update);
    spending.onDidBill((passed) => {
      for (const warning of passed)
        presenter.showBanner(warningBanner(warning), active.session?.model.whileUnchanged());
      update();
    });
    waiting.onDidChange(() => {
      const { elsewhere } = waiting;
      statusBar.showElsewhere(elsewhere.map(waitingSentence));
      views.setWaitingElsewhere(elsewhere.reduce((sum, { count }) => sum + count, 0));
    });
    const replicaNotices = lazy(async () => {
      const { ReplicaNotices } = await import("../replica/replicaNotices.ts");
      const { ReplicaSetupFile } = await import("../replica/replicaSetup.ts");
      const notices = new ReplicaNotices(replication, new ReplicaSetupFile(folders.storage), presenter);
      context.subscriptions.push(notices);
      return notices;
    });
    const tellOfPlace = lazy(async () => {
      const isRemote = vscode.env.remoteName !== undefined;
      if (!isRemote || context.extension.extensionKind !== vscode.ExtensionKind.Workspace) return;
      const { tellWhereHistoryLies } = await import("../replica/containers/placeNotice.ts");
      await tellWhereHistoryLies(folders, globalState);
    });
    const tellOfReplica = async (): Promise<void> => {
      await (await replicaNotices()).update();
    };
    replication.onDidChange(() => {
      tellOfReplica().catch(bugs.report);
    });
    tools.terminals.onDidClose(() => {
      views.holdFocus();
    });
    replication.onDidPlace((changed) => {
      conversations.noteReplicated(changed).catch(bugs.report);
    });
    replication.startLater();
    importing.startLater();
    this.#disposables = [
      replication,
      log,
      settings,
      tools,
      keeper,
      documents,
      badge,
      icon,
      waiting,
      settings.onDidChange(setUpAnew),
      settings.onDidChange(showSettingProblems),
      context.secrets.onDidChange(({ key }) => {
        if (!isOfReplica(key)) setUpAnew();
      }),
      vscode.lm.onDidChangeChatModels(reset),
      onViewSettingsChange(views.refresh),
    ];
  }

  /** Opens this window's last conversation, or a new one. */
  showIn(surface: ChatSurface): void {
    this.#pages.showIn(surface);
  }

  /** Fills the indicator from this window's last conversation, without opening it. */
  async showLastUsage(): Promise<void> {
    const { connections, registry, settings } = this.#models;
    const { maxOutputTokens } = settings.current.context;
    try {
      const usage = await lastUsage({ ...this.#folders, registry, connections, maxOutputTokens });
      if (this.#conversations.session === undefined) this.#statusBar.show(usage);
    } catch (error) {
      this.#bugs.report(error);
    }
  }

  /** Runs a command of the palette, a menu or a button; reports its unexpected errors. */
  async run(id: CommandId, context?: unknown): Promise<void> {
    await this.#commands.run(id, context).catch(this.#bugs.report);
  }

  /** Commits, closes the database and releases the lease. */
  async close(): Promise<void> {
    await Promise.all([this.#replication.closeForExit(), this.#importing.close()]);
    await this.#conversations.close();
    await this.#models.counting.settled();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
