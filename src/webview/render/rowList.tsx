/**
 * The rows of a transcript on the page. Each is a tree of its own and is drawn only when something about it has changed: to
 * add a row to a long list costs that row, and nothing for the others. A row is drawn without its components where that is
 * possible, until it is touched.
 */
import { hydrate, render, type VNode } from "preact";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import type { Row } from "../../protocol/toView.ts";
import { editAt } from "../../protocol/composerDocument.ts";
import { type AppState, keyOf } from "../state.ts";
import { Notice } from "./banner.tsx";
import { UNFOLD_EVENT } from "./codeFold.ts";
import { Hidden } from "./hidden.tsx";
import { mayBeAskedAgain, Message } from "./message.tsx";
import { RowGroups } from "./rowGroups.ts";
import { drawStillRow, type StillRow } from "./stillRow.ts";
import { Summary } from "./summary.tsx";
import { type Services, ServicesContext } from "./useStore.ts";

/** What can happen to a row. */
const touches = ["pointerover", "pointerdown", "focusin", "keydown", "click", "auxclick", UNFOLD_EVENT];

/** A row of so many elements is off the page at once, and its components end in a task of their own: the two take as long. */
const muchToTakeApart = 10_000;

/** Keeps the rows in one element. To be ended. */
export class RowList {
  readonly #groups: RowGroups;
  readonly #services: Services;
  /** What is on the page, by its key. */
  readonly #drawn = new Map<string, DrawnRow>();
  readonly #ended = new AbortController();
  #shown: AppState | undefined;

  /** `list` has no other children than the rows. */
  constructor(list: HTMLElement, services: Services) {
    this.#groups = new RowGroups(list);
    this.#services = services;
    const { signal } = this.#ended;
    for (const kind of touches) list.addEventListener(kind, this.#onTouch, { capture: true, passive: true, signal });
  }

  /** Puts the rows of the window on the page, in their order. */
  show(state: AppState): void {
    const { rows, window } = state;
    const settled = settledRows(this.#shown, state);
    this.#shown = state;
    const mounted = rows.slice(window.start + settled, window.end);
    const keys = mounted.map(({ rowId }) => keyOf(state, rowId));
    if (settled === 0) this.#keepOnly(keys);
    let place = settled === 0 ? this.#groups.first : (this.#drawn.get(keys[0] ?? "")?.element ?? null);
    for (const [at, row] of mounted.entries()) {
      const element = this.#draw(keys[at] ?? row.rowId, lookOf(row, window.start + settled + at, state));
      if (element === place) place = this.#groups.after(place);
      else this.#groups.insert(element, place);
    }
  }

  /** Takes all rows away. */
  end(): void {
    this.#ended.abort();
    this.#shown = undefined;
    this.#keepOnly([]);
  }

  /** Something is about to happen to a row: it gets its components, which hear of it as if they had always been there. */
  readonly #onTouch = ({ target }: Event): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-key]") : null;
    const drawn = this.#drawn.get(row?.dataset["key"] ?? "");
    if (drawn !== undefined) this.#enliven(drawn);
  };

  #keepOnly(keys: readonly string[]): void {
    const kept = new Set(keys);
    const gone = [...this.#drawn].filter(([key]) => !kept.has(key));
    this.#groups.remove(new Set(gone.map(([, { element }]) => element)));
    for (const [key, { element, still }] of gone) {
      this.#drawn.delete(key);
      if (still !== null) still.end();
      else if (element.getElementsByTagName("*").length < muchToTakeApart) render(null, element);
      else setTimeout(render, 0, null, element);
    }
  }

  #draw(key: string, look: Look): HTMLElement {
    const drawn = this.#drawn.get(key);
    if (drawn !== undefined) {
      if (!isSame(drawn.look, look)) this.#change(drawn, look);
      return drawn.element;
    }
    const element = document.createElement("div");
    element.setAttribute("data-key", key);
    if (look.place !== "") element.className = look.place;
    const added: DrawnRow = { look, element, still: null };
    this.#drawFirst(added);
    this.#drawn.set(key, added);
    return element;
  }

  #change(drawn: DrawnRow, look: Look): void {
    if (drawn.look.place !== look.place) drawn.element.className = look.place;
    const isOther = !isSame({ ...drawn.look, place: look.place }, look);
    if (isOther) this.#enliven(drawn);
    drawn.look = look;
    if (isOther) render(this.#rowOf(look), drawn.element);
  }

  /** Without components, where that is possible. */
  #drawFirst(row: DrawnRow): void {
    const { element, look } = row;
    row.still =
      look.row.kind !== "message"
        ? null
        : drawStillRow(element, drawRow(look), this.#services, () => {
            row.still?.end();
            element.replaceChildren();
            this.#drawFirst(row);
          });
    if (row.still === null) render(this.#rowOf(look), element);
  }

  #enliven(drawn: DrawnRow): void {
    const { still, look, element } = drawn;
    if (still === null) return;
    drawn.still = null;
    still.end();
    this.#services.highlighter.atOnce(() => {
      hydrate(this.#rowOf(look), element);
    });
  }

  #rowOf(look: Look): VNode {
    return <ServicesContext.Provider value={this.#services}>{drawRow(look)}</ServicesContext.Provider>;
  }
}

interface DrawnRow {
  look: Look;
  readonly element: HTMLElement;
  /** Null once it has its components. */
  still: StillRow | null;
}

/** All that the drawing of a row depends on. */
interface Look {
  readonly row: Row;
  /** The reader unfolded it. */
  readonly open: boolean;
  /** It ended badly and no message stands behind it: it can be asked for again. */
  readonly newest: boolean;
  /** The reader says it anew. */
  readonly edited: boolean;
  readonly detail: SummaryDetail | null;
  /** Classes that say how it stands between its neighbours; may be empty. */
  readonly place: string;
}

function lookOf(row: Row, index: number, state: AppState): Look {
  return {
    row,
    open: state.openRows.has(row.rowId),
    edited:
      row.kind === "message" &&
      editAt(state.composer.document.edits, { messageId: Number(row.messageId) }) !== undefined,
    newest: mayBeAskedAgain(row) && isNewest(state.rows, index),
    detail: row.kind === "summary" ? (state.details.get(row.summaryId) ?? null) : null,
    place: placeInTurn(state.rows, index),
  };
}

function isSame(one: Look, other: Look): boolean {
  return (
    one.row === other.row &&
    one.open === other.open &&
    one.newest === other.newest &&
    one.edited === other.edited &&
    one.detail === other.detail &&
    one.place === other.place
  );
}

function drawRow({ row, open, newest, edited, detail }: Look): VNode {
  switch (row.kind) {
    case "message":
      return <Message row={row} open={open} newest={newest} edited={edited} />;
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
function settledRows(before: AppState | undefined, state: AppState): number {
  const { rows, window, openRows, details, keys, composer } = state;
  if (before?.window.start !== window.start || before.window.end > window.end) return 0;
  if (before.openRows !== openRows || before.details !== details || before.keys !== keys) return 0;
  if (before.composer.document.edits !== composer.document.edits) return 0;
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
