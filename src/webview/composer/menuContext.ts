/**
 * Context for the editor's own context menu. Its Cut, Copy and Paste stay in text fields; elsewhere two of them could
 * do nothing, and Forge has its own Copy.
 */

import { withoutBlankEnd } from "../../protocol/copiedText.ts";

/** Sets it on the page's element, where the editor reads it after the page has handled the event. */
export function setMenuContext(event: Event & { readonly currentTarget: HTMLElement }): void {
  const { target, currentTarget: page } = event;
  const isWritten = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  const selected = isWritten ? "" : (document.getSelection()?.toString() ?? "");
  page.dataset["vscodeContext"] = JSON.stringify({
    preventDefaultContextMenuItems: !isWritten,
    ...(selected.trim() === "" ? {} : { forgeSelection: withoutBlankEnd(selected) }),
  });
}
