/**
 * The rows of a transcript on the page. Each is a tree of its own and is drawn only when something about it has changed: to
 * add a row to a long list costs that row, and nothing for the others.
 */
import { render, type VNode } from "preact";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import type { Row } from "../../protocol/toView.ts";
import { type AppState, keyOf } from "../state.ts";
import { Notice } from "./banner.tsx";
import { Hidden } from "./hidden.tsx";
import { mayBeAskedAgain, Message } from "./message.tsx";
import { Summary } from "./summary.tsx";
import { type Services, ServicesContext } from "./useStore.ts";

/** Keeps the children of one element. To be ended. */
export class RowList {
  readonly #list: HTMLElement;
  readonly #services: Services;
  /** What is on the page, by its key. */
  readonly #drawn = new Map<string, DrawnRow>();
  #shown: AppState | undefined;

  /** `list` has no other children than the rows. */
  constructor(list: HTMLElement, services: Services) {
    this.#list = list;
    this.#services = services;
  }

  /** Puts the rows of the window on the page, in their order. */
  show(state: AppState): void {
    const { rows, window } = state;
    const settled = settledRows(this.#shown, state);
    this.#shown = state;
    const mounted = rows.slice(window.start + settled, window.end);
    const keys = mounted.map(({ rowId }) => keyOf(state, rowId));
    if (settled === 0) this.#keepOnly(keys);
    let place = this.#list.children[settled] ?? null;
    for (const [at, row] of mounted.entries()) {
      const element = this.#draw(keys[at] ?? row.rowId, lookOf(row, window.start + settled + at, state));
      if (element === place) place = place.nextElementSibling;
      else this.#list.insertBefore(element, place);
    }
  }

  /** Takes all rows away. */
  end(): void {
    this.#shown = undefined;
    this.#keepOnly([]);
  }

  #keepOnly(keys: readonly string[]): void {
    const kept = new Set(keys);
    for (const [key, { element }] of this.#drawn) {
      if (kept.has(key)) continue;
      this.#drawn.delete(key);
      element.remove();
      render(null, element);
    }
  }

  #draw(key: string, look: Look): HTMLElement {
    const drawn = this.#drawn.get(key);
    if (drawn !== undefined && isSame(drawn.look, look)) return drawn.element;
    const element = drawn?.element ?? document.createElement("div");
    element.dataset["key"] = key;
    if (element.className !== look.place) element.className = look.place;
    render(<ServicesContext.Provider value={this.#services}>{drawRow(look)}</ServicesContext.Provider>, element);
    this.#drawn.set(key, { look, element });
    return element;
  }
}

interface DrawnRow {
  readonly look: Look;
  readonly element: HTMLElement;
}

/** All that the drawing of a row depends on. */
interface Look {
  readonly row: Row;
  /** The reader unfolded it. */
  readonly open: boolean;
  /** It ended badly and no message stands behind it: it can be asked for again. */
  readonly newest: boolean;
  readonly detail: SummaryDetail | null;
  /** Classes that say how it stands between its neighbours; may be empty. */
  readonly place: string;
}

function lookOf(row: Row, index: number, { openRows, details, rows }: AppState): Look {
  return {
    row,
    open: openRows.has(row.rowId),
    newest: mayBeAskedAgain(row) && isNewest(rows, index),
    detail: row.kind === "summary" ? (details.get(row.summaryId) ?? null) : null,
    place: placeInTurn(rows, index),
  };
}

function isSame(one: Look, other: Look): boolean {
  return (
    one.row === other.row &&
    one.open === other.open &&
    one.newest === other.newest &&
    one.detail === other.detail &&
    one.place === other.place
  );
}

function drawRow({ row, open, newest, detail }: Look): VNode {
  switch (row.kind) {
    case "message":
      return <Message row={row} open={open} newest={newest} />;
    case "summary":
      return <Summary row={row} open={open} detail={detail} />;
    case "notice":
      return <Notice row={row} />;
    case "hidden":
      return <Hidden row={row} />;
  }
}

/**
 * How many rows, from the top of the window, need not be looked at, as all that was done was to add rows at the end: none
 * where anything else was. The last row before them, and the newest message, are drawn with regard to what comes after.
 */
function settledRows(before: AppState | undefined, { rows, window, openRows, details, keys }: AppState): number {
  if (before?.window.start !== window.start || before.window.end > window.end) return 0;
  if (before.openRows !== openRows || before.details !== details || before.keys !== keys) return 0;
  for (let index = Math.max(0, window.start - 1); index < before.window.end; index++)
    if (rows[index] !== before.rows[index]) return 0;
  return Math.max(0, Math.min(before.window.end - 1, newestMessage(before.rows)) - window.start);
}

/** Whether nothing was said after the row at `index`. */
function isNewest(rows: readonly Row[], index: number): boolean {
  return newestMessage(rows) === index;
}

function newestMessage(rows: readonly Row[]): number {
  return rows.findLastIndex(({ kind }) => kind === "message");
}

/** The answers of one turn stand close together. */
function placeInTurn(rows: readonly Row[], index: number): string {
  if (!isAnswer(rows[index])) return "";
  const goesOn = isAnswer(rows[index - 1]);
  if (!isAnswer(rows[index + 1])) return goesOn ? "goes-on" : "";
  return goesOn ? "goes-on is-continued" : "is-continued";
}

function isAnswer(row: Row | undefined): boolean {
  return row?.kind === "message" && row.role === "assistant";
}
