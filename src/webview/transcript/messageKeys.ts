/**
 * From message to message with the keyboard: Alt and an arrow. In a message, Tab goes on to what can be done with it.
 */

/** Moves the focus by the key, if it is one of these. At the last message and further down the focus stays. */
export function goToNeighbour(log: HTMLElement, event: KeyboardEvent): boolean {
  const isKey = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (!isKey || step === 0) return false;
  const messages = [...log.querySelectorAll<HTMLElement>("[role=article]")];
  const at = messages.findIndex((message) => message.contains(document.activeElement));
  const next = at < 0 ? messages.at(-1) : messages[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}
