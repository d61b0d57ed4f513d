import { withoutBlankEnd } from "../../protocol/copiedText.ts";

/** Copies a selection of the page without the blank line that the browser adds after whole blocks. */
export function copySelection(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return;
  const selection = document.getSelection();
  const selected = selection?.toString() ?? "";
  const text = withoutBlankEnd(selected);
  if (selection === null || clipboardData === null || text === selected) return;
  event.preventDefault();
  clipboardData.setData("text/plain", text);
  clipboardData.setData("text/html", new XMLSerializer().serializeToString(selection.getRangeAt(0).cloneContents()));
}
