/** What the user's commands work with, for one place where they are asked for. */

import type { ModelServices } from "../connections/modelServices.ts";
import type { ContextPage } from "../context/contextPage.ts";
import type { ChatPages } from "../conversations/chatPages.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Keyboard } from "../editor/keyboard.ts";
import type { Attaching } from "../mentions/attaching.ts";
import type { KeyCommands } from "../pickers/keyCommands.ts";
import type { ModelPicker } from "../pickers/modelPicker.ts";
import type { ServerCommands } from "../pickers/serverCommands.ts";
import type { Presenter } from "../view/presenter.ts";
import type { WindowServices } from "../view/windowServices.ts";

/** Each command takes of it what it needs. */
export interface CommandServices {
  readonly window: WindowServices;
  readonly models: ModelServices;
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  readonly contextPage: ContextPage;
  readonly attaching: Attaching;
  readonly pages: ChatPages;
  readonly keyboard: Keyboard;
  readonly keys: KeyCommands;
  readonly servers: ServerCommands;
  readonly modelPicker: ModelPicker;
}
