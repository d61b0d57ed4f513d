/** The font that the user has set for all chats of the editor. */

import * as vscode from "vscode";
import type { FontView } from "../../protocol/toView.ts";

/** Names of fonts as a style sheet lists them, and nothing else: a workspace may set it. */
const families = /^[\p{L}\p{N} _.,'"-]{1,200}$/u;

/** What `chat.fontSize` and `chat.fontFamily` say, as far as they are set: else the font is that of the editor's views. */
export function chatFont(): FontView {
  const chat = vscode.workspace.getConfiguration("chat");
  const size = setValue(chat.inspect("fontSize"));
  const family = setValue(chat.inspect("fontFamily"));
  return fontOf(size, family);
}

/** Calls `changed` when the user has set another one. */
export function onChatFontChange(changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    const isOfFont = ["chat.fontSize", "chat.fontFamily"].some((name) => change.affectsConfiguration(name));
    if (isOfFont) changed();
  });
}

/** The font of two settings; what makes no sense counts as not set. */
export function fontOf(size: unknown, family: unknown): FontView {
  return {
    sizePx: typeof size === "number" && size >= 6 && size <= 100 ? size : null,
    family: typeof family === "string" && family !== "default" && families.test(family) ? family : null,
  };
}

/** The value that somebody has set; a default of the editor is none. */
function setValue(setting: ReturnType<vscode.WorkspaceConfiguration["inspect"]>): unknown {
  return setting?.workspaceFolderValue ?? setting?.workspaceValue ?? setting?.globalValue;
}
