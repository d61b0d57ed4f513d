/**
 * Keeps the keyboard focus where the reader was when what had it goes away: a button that is gone with its question, a row
 * that was removed, an edit that has ended. Without this the focus would fall to the page's beginning.
 * A page that is given the keyboard again takes it where it was, which the editor forgets, or else where one types.
 */

/** So long what goes away may hand the focus on by itself, in milliseconds. */
const graceMs = 40;

/** Watches everything in `root`; `field` is where the keyboard is at home. */
export function keepFocus(root: HTMLElement, field: () => HTMLElement | null): void {
  let held: Held | null = null;
  /** What the reader pressed and what went away for what has the focus now, as a form does for its button. */
  let opener = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener("focus", () => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const last = held?.element;
    const isThere = last?.isConnected === true && !last.matches(":disabled");
    (isThere ? last : field())?.focus({ preventScroll: true });
  });
  const look = (): void => {
    if (held === null || !isLost(held.element)) return;
    (placeNear(held, opener) ?? field())?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (held === null || !isLost(held.element)) return;
    clearTimeout(timer);
    timer = setTimeout(look, graceMs);
  });
  root.addEventListener("focusin", ({ target }) => {
    if (held !== null && !held.element.isConnected) opener = nameOf(held.element);
    held = target instanceof HTMLElement ? holdOf(target) : null;
    observer.disconnect();
    if (held !== null) watch(held, observer);
  });
}

/** Only what can take the focus away: messages come and go, and are written, without a look at it. */
function watch({ element, around }: Held, observer: MutationObserver): void {
  observer.observe(element, { attributes: true, attributeFilter: ["disabled"] });
  for (const box of around) observer.observe(box, { childList: true });
}

/** Where the focus is, as far as it can be found again when the element is gone. */
interface Held {
  readonly element: HTMLElement;
  /** What it is in, from the inside out, up to the page. */
  readonly around: readonly HTMLElement[];
  /** Its row's place among those that are mounted; -1 outside of them. */
  readonly rowIndex: number;
  readonly rows: HTMLElement | null;
  /** The lists that it is in, the innermost first, and which of their items it is. */
  readonly lists: readonly { readonly list: HTMLElement; readonly index: number }[];
  /** Which it is among the buttons of its item. */
  readonly buttonIndex: number;
}

function holdOf(element: HTMLElement): Held {
  const around: HTMLElement[] = [];
  for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement)
    around.push(box);
  const rows = element.closest<HTMLElement>(".rows");
  const rowIndex =
    rows === null ? -1 : [...rows.querySelectorAll("[data-key]")].findIndex((row) => row.contains(element));
  const items = around.filter((box) => box.matches("li"));
  const lists = items.flatMap((item) => {
    const list = item.parentElement;
    return list === null ? [] : [{ list, index: [...list.children].indexOf(item) }];
  });
  const buttonIndex = [...(items[0]?.querySelectorAll("button") ?? [])].findIndex((button) => button === element);
  return { element, around, rowIndex, rows, lists, buttonIndex };
}

/** What a button is called. */
function nameOf(element: HTMLElement): string {
  return element.getAttribute("aria-label") ?? element.textContent;
}

/** Nothing has the focus, because `element` cannot have it any more. */
function isLost(element: HTMLElement): boolean {
  const { activeElement } = document;
  const isNowhere = activeElement === null || activeElement === document.body || activeElement === element;
  return isNowhere && document.hasFocus() && (!element.isConnected || element.matches(":disabled"));
}

/** The row that it was in, or the one that stands at its place now; so with items of lists. Null where it was in none. */
function placeNear(held: Held, opener: string): HTMLElement | null {
  const { around, rows, rowIndex } = held;
  const inRow = around.find((box) => box.isConnected && box.matches("[data-row-id]"));
  const row = inRow ?? rowAt(rows, rowIndex);
  if (row === null) return itemNear(held);
  if (row.matches("[tabindex]")) return row;
  const buttons = [...row.querySelectorAll("button")];
  const again = opener === "" ? undefined : buttons.find((button) => !button.disabled && nameOf(button) === opener);
  const first = row.querySelector<HTMLElement>("button:enabled, a, textarea, [tabindex]");
  return again ?? first ?? row.closest<HTMLElement>(".log");
}

/** The same button of the item that stands at its place now; where the list is gone, or has no other, that of the list around it. */
function itemNear({ lists, buttonIndex }: Held): HTMLElement | null {
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
