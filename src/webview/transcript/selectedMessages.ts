/** Messages touched by a text selection, however it was made. By keyboard: Alt+Shift+arrow, message by message. */

/** By number in the history, both included. */
export interface SelectedMessages {
  readonly first: number;
  readonly last: number;
}

/** Null if the selection touches no message that is in the history. */
export function selectedMessages(log: HTMLElement): SelectedMessages | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || !log.contains(selection.anchorNode)) return null;
  const ids = [...log.querySelectorAll<HTMLElement>("[role=article]")]
    .filter((article) => selection.containsNode(article, true))
    .map((article) => Number(article.dataset["messageId"]))
    .filter((id) => Number.isSafeInteger(id));
  return ids.length === 0 ? null : { first: Math.min(...ids), last: Math.max(...ids) };
}

/** Extends the selection by the neighbour of the focused message, and focuses it; returns whether the key did that. */
export function selectToNeighbour(log: HTMLElement, event: KeyboardEvent): boolean {
  const isKey = event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey;
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (!isKey || step === 0) return false;
  const messages = [...log.querySelectorAll<HTMLElement>("[role=article]")];
  const holds = (node: Node | null | undefined) => (message: HTMLElement) => message.contains(node ?? null);
  const at = messages.findIndex(holds(document.activeElement));
  const here = messages[at];
  const next = messages[at + step];
  const selection = document.getSelection();
  if (here === undefined || next === undefined || selection === null) return false;
  const from = selection.isCollapsed ? here : (messages.find(holds(selection.anchorNode)) ?? here);
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  const isUp = messages.indexOf(from) > at + step;
  const [base, extent] = isUp ? [from.childNodes.length, 0] : [0, next.childNodes.length];
  selection.setBaseAndExtent(from, base, next, extent);
  return true;
}
