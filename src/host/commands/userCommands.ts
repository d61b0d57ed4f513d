/** Runs commands of the user, by id or by a button of the page. */

import type { ViewCommand } from "../../protocol/viewCommand.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { CommandServices } from "./commandServices.ts";
import { COMMAND_HANDLERS } from "./commandHandlers.ts";
import { VIEW_COMMAND_HANDLERS } from "./viewCommands.ts";

export class UserCommands extends CommandServices {
  override async run(id: CommandId, context?: unknown): Promise<void> {
    this.presenter.dropNote();
    await COMMAND_HANDLERS[id](this, context);
  }

  async runFromView(command: ViewCommand): Promise<void> {
    const action = VIEW_COMMAND_HANDLERS[command];
    if (typeof action === "string") await this.run(action);
    else await action(this);
  }
}
