/**
 * The rows of a list, a few in a box of their own: where one is added, only those in its box are looked at for the layout, and
 * of the others only the boxes. A box has no look of its own.
 */

/** So many rows are in a box before the next one is begun. */
const rowsPerGroup = 10;

/** Keeps the boxes in one element, which holds nothing else; none of them is empty. */
export class RowGroups {
  readonly #list: HTMLElement;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** The row at the top; null where there is none. */
  get first(): Element | null {
    return this.#list.firstElementChild?.firstElementChild ?? null;
  }

  /** The row below `row`, if there is one. */
  after(row: Element): Element | null {
    return row.nextElementSibling ?? row.parentElement?.nextElementSibling?.firstElementChild ?? null;
  }

  /** Puts `row` above `place`; at the end where that is null. No other row changes its box. */
  insert(row: Element, place: Element | null): void {
    const left = row.parentElement;
    const below = place?.parentElement ?? null;
    const above = below === null ? this.#list.lastElementChild : below.previousElementSibling;
    if (place?.previousElementSibling != null) place.before(row);
    else if (above !== null && above.childElementCount < rowsPerGroup) above.append(row);
    else this.#begin(below).append(row);
    if (left?.childElementCount === 0) left.remove();
  }

  /** Takes these rows away; where they are all of a box, with the box at once. */
  remove(rows: ReadonlySet<Element>): void {
    if (rows.size === 0) return;
    for (const group of [...this.#list.children]) {
      const gone = [...group.children].filter((row) => rows.has(row));
      if (gone.length === group.childElementCount) group.remove();
      else for (const row of gone) row.remove();
    }
  }

  #begin(below: Element | null): Element {
    const group = document.createElement("div");
    this.#list.insertBefore(group, below);
    return group;
  }
}
