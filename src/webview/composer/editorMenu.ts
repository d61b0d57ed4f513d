/**
 * What the editor's own menu, which a right click opens, knows of the place that was clicked. Its Cut, Copy and Paste are left
 * where something is written; elsewhere two of them could do nothing, and Forge has a Copy of its own.
 */

/** Puts it on the page's element, where the editor looks for it once the page has seen the event. */
export function tellEditorsMenu(event: Event & { readonly currentTarget: HTMLElement }): void {
  const { target, currentTarget: page } = event;
  const isWritten = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  const selected = isWritten ? "" : (document.getSelection()?.toString() ?? "");
  page.dataset["vscodeContext"] = JSON.stringify({
    preventDefaultContextMenuItems: !isWritten,
    ...(selected.trim() === "" ? {} : { forgeSelection: selected }),
  });
}
