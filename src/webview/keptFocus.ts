/**
 * Keeps the keyboard focus where the reader was when what had it goes away: a button that is gone with its question, a row
 * that was removed, an edit that has ended. Without this the focus would fall to the page's beginning.
 * A page that is given the keyboard, as by a click on its icon, and has nothing that had it, takes it where one types.
 */

/** So long what goes away may hand the focus on by itself, in milliseconds. */
const graceMs = 40;

/** Watches everything in `root`; `field` is where the keyboard is at home. */
export function keepFocus(root: HTMLElement, field: () => HTMLElement | null): void {
  let held: Held | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener("focus", () => {
    if (document.activeElement === null || document.activeElement === document.body)
      field()?.focus({ preventScroll: true });
  });
  const look = (): void => {
    if (held === null || !isLost(held.element)) return;
    (placeNear(held) ?? field())?.focus({ preventScroll: true });
  };
  root.addEventListener("focusin", ({ target }) => {
    held = target instanceof HTMLElement ? holdOf(target) : null;
  });
  new MutationObserver(() => {
    if (held === null || !isLost(held.element)) return;
    clearTimeout(timer);
    timer = setTimeout(look, graceMs);
  }).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
}

/** Where the focus is, as far as it can be found again when the element is gone. */
interface Held {
  readonly element: HTMLElement;
  /** What it is in, from the inside out, up to the page. */
  readonly around: readonly HTMLElement[];
  /** Its row's place among those that are mounted; -1 outside of them. */
  readonly rowIndex: number;
  readonly rows: HTMLElement | null;
}

function holdOf(element: HTMLElement): Held {
  const around: HTMLElement[] = [];
  for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement)
    around.push(box);
  const rows = element.closest<HTMLElement>(".rows");
  const rowIndex = rows === null ? -1 : [...rows.children].findIndex((row) => row.contains(element));
  return { element, around, rowIndex, rows };
}

/** Nothing has the focus, because `element` can not have it any more. */
function isLost(element: HTMLElement): boolean {
  const { activeElement } = document;
  const isNowhere = activeElement === null || activeElement === document.body || activeElement === element;
  return isNowhere && document.hasFocus() && (!element.isConnected || element.matches(":disabled"));
}

/** The row that it was in, or the one that stands at its place now; null where it was in none. */
function placeNear({ around, rows, rowIndex }: Held): HTMLElement | null {
  const inRow = around.find((box) => box.isConnected && box.matches("[data-row-id]"));
  const row = inRow ?? rowAt(rows, rowIndex);
  if (row === null) return null;
  if (row.matches("[tabindex]")) return row;
  return row.querySelector<HTMLElement>("button:enabled, a, textarea, [tabindex]") ?? row.closest<HTMLElement>(".log");
}

function rowAt(rows: HTMLElement | null, index: number): HTMLElement | null {
  if (rows?.isConnected !== true || index < 0) return null;
  const all = [...rows.querySelectorAll<HTMLElement>("[data-row-id]")];
  return all[Math.min(index, all.length - 1)] ?? null;
}
