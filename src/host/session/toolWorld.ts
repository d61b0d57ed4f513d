/** The tools of this window, and what the user has allowed for good. That lies in the editor's own storage. */

import * as vscode from "vscode";
import type { ConnectionWorld } from "./connectionWorld.ts";
import type { ToolWorld } from "./sessionServices.ts";
import { NEEDS_FOLDER } from "../tools/createEditorTools.ts";
import { workspaceRoots } from "../tools/workspaceRoots.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import { RECALL_HISTORY, recallHistory } from "../tools/recallHistory.ts";

/** Where the editor keeps the names of the tools that need no question any more. */
const ALWAYS = "forge.tools.always";

/** Puts the world together over the editor's storage for this user, and the tools of this window. */
export function createToolWorld(
  storage: vscode.Memento,
  tools: WindowTools,
  { canCall, offerToolsAgain }: Pick<ConnectionWorld, "canCall" | "offerToolsAgain">,
): ToolWorld {
  const allowed = (): readonly string[] => {
    const stored: unknown = storage.get(ALWAYS);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  };
  return {
    of: ({ manager, store }) => [recallHistory({ history: manager.history, store }), ...tools.ofConversation()],
    registered: () => tools.registered([RECALL_HISTORY]),
    isTrusted: () => vscode.workspace.isTrusted,
    staysInConversation: (name) => CONVERSATION_TOOLS.has(name),
    worksHere: (name) => !NEEDS_FOLDER.has(name) || workspaceRoots().length > 0,
    canCall,
    offerAgain: offerToolsAgain,
    allowedAlways: allowed,
    allowAlways: async (name) => {
      await storage.update(ALWAYS, [...new Set([...allowed(), name])]);
    },
    askAgain: async (name) => {
      await storage.update(
        ALWAYS,
        allowed().filter((other) => other !== name),
      );
    },
  };
}

/** Tools that read nothing but the conversation. */
const CONVERSATION_TOOLS: ReadonlySet<string> = new Set([RECALL_HISTORY]);
