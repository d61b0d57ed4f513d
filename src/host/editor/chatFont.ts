/** The editor's font settings for chats. */

import * as vscode from "vscode";
import type { FontView } from "../../protocol/toView.ts";

export const CHAT_FONT_SETTINGS: readonly string[] = ["chat.fontSize", "chat.fontFamily"];

/** Allows font names and nothing else: the value may come from a workspace, and goes into a style sheet. */
const FONT_FAMILIES = /^[\p{L}\p{N} _.,'"-]{1,200}$/u;

/** `chat.fontSize` and `chat.fontFamily`; null where not set, for the font of the editor's views. */
export function chatFont(): FontView {
  const chat = vscode.workspace.getConfiguration("chat");
  const size = setValue(chat.inspect("fontSize"));
  const family = setValue(chat.inspect("fontFamily"));
  return fontOf(size, family);
}

/** Invalid values count as not set. */
export function fontOf(size: unknown, family: unknown): FontView {
  return {
    sizePx: typeof size === "number" && size >= 6 && size <= 100 ? size : null,
    family: typeof family === "string" && family !== "default" && FONT_FAMILIES.test(family) ? family : null,
  };
}

/** The value that was set explicitly; ignores the editor's default. */
function setValue(setting: ReturnType<vscode.WorkspaceConfiguration["inspect"]>): unknown {
  return setting?.workspaceFolderValue ?? setting?.workspaceValue ?? setting?.globalValue;
}
