import type { ModelServices } from "../connections/modelServices.ts";
import type { ContextPresenter } from "../context/contextPresenter.ts";
import type { ChatPages } from "../conversations/chatPages.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { LazyImporting } from "../conversations/import/lazyImporting.ts";
import type { CommandId, CommandRunner } from "../editor/commandIds.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import { KeyCommands } from "../pickers/keyCommands.ts";
import { ModelPicker } from "../pickers/modelPicker.ts";
import { OllamaCommands } from "../pickers/ollamaCommands.ts";
import { ServerCommands } from "../pickers/serverCommands.ts";
import type { ReplicaControl } from "../replica/replicaControl.ts";
import type { Presenter } from "../view/presenter.ts";
import type { WindowServices } from "../view/windowServices.ts";

/** Services that commands use; one object for each place that commands are started from: they differ in `keyboard`. */
export abstract class CommandServices implements CommandRunner {
  readonly window: WindowServices;
  readonly models: ModelServices;
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  readonly contextPresenter: ContextPresenter;
  readonly attaching: AttachmentHandler;
  readonly pages: ChatPages;
  readonly replica: ReplicaControl;
  readonly importing: LazyImporting;
  readonly keyboard: CommandFocus;
  readonly keys: KeyCommands;
  readonly ollama: OllamaCommands;
  readonly servers: ServerCommands;
  readonly modelPicker: ModelPicker;

  constructor(
    window: WindowServices,
    models: ModelServices,
    conversations: Conversations,
    presenter: Presenter,
    contextPresenter: ContextPresenter,
    attaching: AttachmentHandler,
    pages: ChatPages,
    replica: ReplicaControl,
    importing: LazyImporting,
    keyboard: CommandFocus,
  ) {
    this.window = window;
    this.models = models;
    this.conversations = conversations;
    this.presenter = presenter;
    this.contextPresenter = contextPresenter;
    this.attaching = attaching;
    this.pages = pages;
    this.replica = replica;
    this.importing = importing;
    this.keyboard = keyboard;
    this.keys = new KeyCommands(models, conversations, keyboard);
    this.ollama = new OllamaCommands(models, conversations, keyboard);
    this.servers = new ServerCommands(models, conversations, this.keys, this.ollama, keyboard, window.bugs);
    this.modelPicker = new ModelPicker(models, this.servers, this.ollama, this, keyboard, window.bugs);
  }

  /** Resolves when the command has ended; `context` is the editor's menu argument, such as the clicked row of the chat. */
  abstract run(id: CommandId, context?: unknown): Promise<void>;
}
