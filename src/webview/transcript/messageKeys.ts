/** Keyboard navigation between messages: Alt and an arrow key. In a message, Tab leads to its toolbar. */

/** Returns whether the key moved the focus, which stays at the first and the last message. */
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
