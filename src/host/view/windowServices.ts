/** Services that live as long as the window, whichever conversation is open. */

import type * as vscode from "vscode";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { ForgeFolders } from "../editor/forgeFolders.ts";
import type { Log } from "../editor/log.ts";
import type { WaitingQuestions } from "../session/waitingQuestions.ts";
import type { ChangeKeeper } from "../tools/changeKeeper.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import type { ChatViews } from "./chatViews.ts";
import type { ReadOnlyDocuments } from "./readOnlyDocuments.ts";

export interface WindowServices {
  readonly folders: ForgeFolders;
  /** The editor's memory for Forge. */
  readonly memory: vscode.Memento;
  readonly version: string;
  readonly log: Log;
  readonly bugs: BugReporter;
  readonly views: ChatViews;
  readonly tools: WindowTools;
  readonly keeper: ChangeKeeper;
  readonly documents: ReadOnlyDocuments;
  readonly waiting: WaitingQuestions;
}
