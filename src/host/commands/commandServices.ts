import type { ModelServices } from "../connections/modelServices.ts";
import type { ContextPresenter } from "../context/contextPresenter.ts";
import type { ChatPages } from "../conversations/chatPages.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import type { KeyCommands } from "../pickers/keyCommands.ts";
import type { ModelPicker } from "../pickers/modelPicker.ts";
import type { ServerCommands } from "../pickers/serverCommands.ts";
import type { Presenter } from "../view/presenter.ts";
import type { WindowServices } from "../view/windowServices.ts";

/** Services that commands use; one object for each place that commands are started from. */
export interface CommandServices {
  readonly window: WindowServices;
  readonly models: ModelServices;
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  readonly contextPresenter: ContextPresenter;
  readonly attaching: AttachmentHandler;
  readonly pages: ChatPages;
  readonly keyboard: CommandFocus;
  readonly keys: KeyCommands;
  readonly servers: ServerCommands;
  readonly modelPicker: ModelPicker;
}
