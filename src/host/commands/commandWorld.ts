/** What the user's commands work with. */

import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { ConnectionWorld } from "../session/connectionWorld.ts";
import type { AddFilesWorld } from "../fromEditor/addFiles.ts";
import type { AddTerminalWorld } from "../fromEditor/addTerminal.ts";
import type { Asking } from "../editor/asking.ts";
import type { CommandId } from "../editor/commandIds.ts";
import type { ContextWorld } from "../context/contextWorld.ts";
import type { LearnedCounting } from "../session/learnedCounting.ts";
import type { Log } from "../editor/log.ts";
import type { Presenter } from "../session/presenter.ts";
import type { ServerWorld } from "../pickers/serverCommands.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import type { Spending } from "../session/spending.ts";
import type { ProposedEdits } from "../tools/edit/proposedEdits.ts";

/** What commands work with. */
export interface CommandWorld extends ServerWorld, ContextWorld, AddFilesWorld, AddTerminalWorld, Asking {
  readonly presenter: Presenter;
  readonly registry: ModelRegistry;
  readonly canCall: ConnectionWorld["canCall"];
  readonly spending: Spending;
  readonly counting: LearnedCounting;
  readonly log: Log;
  /** Forge's own version. */
  readonly version: string;
  /** The extension's own folder. */
  readonly storage: string;
  /** Folder of the shipped files. */
  readonly dist: string;
  /** Edits that wait for the user's decision. */
  readonly proposals: ProposedEdits;
  readonly documents: ReadOnlyDocuments;
  /** Brings the chat to the front; resolves when a conversation is open in it. The focus stays where it is. */
  readonly reveal: () => Promise<void>;
  /** The same after work: of a command of the chat only where the keyboard is still in the chat. */
  readonly leadToComposer: () => void;
  /** Gives the keyboard back to the chat, where it was in it. */
  readonly giveBackFocus: () => void;
  /** Has the chat do something, with the keyboard in it. */
  readonly act: (body: ToViewBody) => void;
  /** Shows the conversation in a tab of the editor, too. */
  readonly openTab: () => void;
  /** Runs another command, as if it was asked for where this one was. */
  readonly run: (id: CommandId) => Promise<void>;
  /** Takes note of something that threw where nobody waits for it. */
  readonly bug: (error: unknown) => void;
}
