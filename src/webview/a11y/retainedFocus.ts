/**
 * Keeps the keyboard focus in place when the focused element is removed or disabled: the button of an answered
 * question, a removed row, a finished edit. Otherwise it would fall back to the start of the document.
 * When the webview regains the focus, the element focused last gets it, as the editor does not restore it; else the
 * composer.
 */

/** Time in which the view itself may move the focus after a removal, in milliseconds. */
const graceMs = 40;

/** `field` gets the focus when nothing closer can. */
export function retainFocus(root: HTMLElement, field: () => HTMLElement | null): void {
  let lastFocus: FocusPosition | null = null;
  /** Name of the removed button that the focused element replaced, as a form replaces the button that opens it. */
  let openerName = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener("focus", () => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const last = lastFocus?.element;
    const isThere = last?.isConnected === true && !last.matches(":disabled");
    (isThere ? last : field())?.focus({ preventScroll: true });
  });
  const restoreFocus = (): void => {
    if (lastFocus === null || !isLost(lastFocus.element)) return;
    (neighbourOf(lastFocus, openerName) ?? field())?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (lastFocus === null || !isLost(lastFocus.element)) return;
    clearTimeout(timer);
    timer = setTimeout(restoreFocus, graceMs);
  });
  root.addEventListener("focusin", ({ target }) => {
    if (lastFocus !== null && !lastFocus.element.isConnected) openerName = accessibleNameOf(lastFocus.element);
    lastFocus = target instanceof HTMLElement ? focusPositionOf(target) : null;
    observer.disconnect();
    if (lastFocus !== null) watch(lastFocus, observer);
  });
}

/** Observes only what can remove or disable the focused element: other messages change without triggering it. */
function watch({ element, ancestors }: FocusPosition, observer: MutationObserver): void {
  observer.observe(element, { attributes: true, attributeFilter: ["disabled"] });
  for (const box of ancestors) observer.observe(box, { childList: true });
}

/** Position of the focused element, enough to find a neighbour once it is gone. */
interface FocusPosition {
  readonly element: HTMLElement;
  /** Ancestors, innermost first. */
  readonly ancestors: readonly HTMLElement[];
  /** Index of its row among the mounted rows; -1 outside of them. */
  readonly rowIndex: number;
  readonly rows: HTMLElement | null;
  /** Enclosing lists, innermost first, with the index of the item in each. */
  readonly lists: readonly { readonly list: HTMLElement; readonly index: number }[];
  /** Index among the buttons of its list item. */
  readonly buttonIndex: number;
}

function focusPositionOf(element: HTMLElement): FocusPosition {
  const ancestors: HTMLElement[] = [];
  for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement)
    ancestors.push(box);
  const rows = element.closest<HTMLElement>(".rows");
  const rowIndex =
    rows === null ? -1 : [...rows.querySelectorAll("[data-key]")].findIndex((row) => row.contains(element));
  const items = ancestors.filter((box) => box.matches("li"));
  const lists = items.flatMap((item) => {
    const list = item.parentElement;
    return list === null ? [] : [{ list, index: [...list.children].indexOf(item) }];
  });
  const buttonIndex = [...(items[0]?.querySelectorAll("button") ?? [])].findIndex((button) => button === element);
  return { element, ancestors, rowIndex, rows, lists, buttonIndex };
}

function accessibleNameOf(element: HTMLElement): string {
  return element.getAttribute("aria-label") ?? element.textContent;
}

/** Whether nothing has the focus because `element` was removed or disabled. */
function isLost(element: HTMLElement): boolean {
  const { activeElement } = document;
  const isNowhere = activeElement === null || activeElement === document.body || activeElement === element;
  return isNowhere && document.hasFocus() && (!element.isConnected || element.matches(":disabled"));
}

/** The row that contained it, or the one now at that index; outside of rows, the same for list items. */
function neighbourOf(lastFocus: FocusPosition, openerName: string): HTMLElement | null {
  const { ancestors, rows, rowIndex } = lastFocus;
  const inRow = ancestors.find((box) => box.isConnected && box.matches("[data-row-id]"));
  const row = inRow ?? rowAt(rows, rowIndex);
  if (row === null) return listNeighbourOf(lastFocus);
  if (row.matches("[tabindex]")) return row;
  const buttons = [...row.querySelectorAll("button")];
  const again =
    openerName === ""
      ? undefined
      : buttons.find((button) => !button.disabled && accessibleNameOf(button) === openerName);
  const first = row.querySelector<HTMLElement>("button:enabled, a, textarea, [tabindex]");
  return again ?? first ?? row.closest<HTMLElement>(".log");
}

/** The same button of the item now at that index; if the list is gone or empty, of the enclosing list. */
function listNeighbourOf({ lists, buttonIndex }: FocusPosition): HTMLElement | null {
  for (const { list, index } of lists) {
    const item = list.isConnected ? list.children[Math.min(index, list.children.length - 1)] : undefined;
    const buttons = [...(item?.querySelectorAll<HTMLElement>("button:enabled") ?? [])];
    const button = buttons[buttonIndex] ?? buttons[0];
    if (button !== undefined) return button;
  }
  return null;
}

function rowAt(rows: HTMLElement | null, index: number): HTMLElement | null {
  if (rows?.isConnected !== true || index < 0) return null;
  const all = [...rows.querySelectorAll<HTMLElement>("[data-row-id]")];
  return all[Math.min(index, all.length - 1)] ?? null;
}
