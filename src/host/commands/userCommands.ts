/** Runs what the user orders by a command or a button. */

import type { ViewCommand } from "../../protocol/toView.ts";
import type { CommandId } from "../editor/commandIds.ts";
import type { CommandWorld } from "./commandWorld.ts";
import { PALETTE_COMMANDS } from "./paletteCommands.ts";
import { VIEW_COMMANDS } from "./viewCommands.ts";

/** Runs commands by name, for one place where they are asked for; resolves when one has ended. */
export class UserCommands {
  /** What commands work with; the view's own acts, too. */
  readonly world: CommandWorld;

  constructor(world: Omit<CommandWorld, "run">) {
    this.world = { ...world, run: (id) => this.run(id) };
  }

  /** Runs a contributed command; `context` is what the editor says of where it was asked for, such as a row of the chat. */
  async run(id: CommandId, context?: unknown): Promise<void> {
    this.world.presenter.dropNote();
    await PALETTE_COMMANDS[id](this.world, context);
  }

  /** Runs what a button of the view asks for. */
  async runFromView(command: ViewCommand): Promise<void> {
    const act = VIEW_COMMANDS[command];
    if (typeof act === "string") await this.run(act);
    else await act(this.world);
  }
}
