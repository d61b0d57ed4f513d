import type { FontView } from "../../protocol/toView.ts";

/** Applies the font that is set for chats; null leaves the editor's own. */
export function applyFont({ style }: HTMLElement, { sizePx, family }: FontView): void {
  const set = { "--vscode-font-size": sizePx === null ? null : `${String(sizePx)}px`, "--vscode-font-family": family };
  for (const [name, value] of Object.entries(set)) {
    if (value === null) style.removeProperty(name);
    else style.setProperty(name, value);
  }
}
