/** What stands around a conversation, whichever is open. */

import type { BugReporter } from "../editor/bugReporter.ts";
import type { ForgeFolders } from "../editor/forgeFolders.ts";
import type { Log } from "../editor/log.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import type { ChatViews } from "./chatViews.ts";
import type { ReadOnlyDocuments } from "./readOnlyDocuments.ts";

/** Of one window; each lives as long as the window. */
export interface WindowServices {
  readonly folders: ForgeFolders;
  /** Forge's own version. */
  readonly version: string;
  readonly log: Log;
  readonly bugs: BugReporter;
  readonly views: ChatViews;
  readonly tools: WindowTools;
  readonly documents: ReadOnlyDocuments;
}
