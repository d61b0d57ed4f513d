/** Draws rows, and each only when something about it has changed: of a long list most stay as they are. */
import type { VNode } from "preact";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import type { Row } from "../../protocol/toView.ts";
import { type AppState, keyOf } from "../state.ts";
import { Notice } from "./banner.tsx";
import { Hidden } from "./hidden.tsx";
import { Message } from "./message.tsx";
import { Summary } from "./summary.tsx";

/** The drawn rows of one transcript. */
export class RowSlots {
  readonly #drawn = new WeakMap<Row, { readonly look: Look; readonly slot: VNode }>();

  /** The place of the row at `index`; the same object as before where nothing changed, which is not looked at again. */
  of(row: Row, index: number, state: AppState): VNode {
    const { openRows, details, rows } = state;
    const detail = row.kind === "summary" ? (details.get(row.summaryId) ?? null) : null;
    const newest = isNewest(rows, index);
    const look = { row, open: openRows.has(row.rowId), newest, detail, place: placeInTurn(rows, index) };
    const drawn = this.#drawn.get(row);
    if (drawn !== undefined && isSame(drawn.look, look)) return drawn.slot;
    const key = keyOf(state, row.rowId);
    const slot = (
      <div key={key} data-key={key} class={look.place}>
        {drawRow(look)}
      </div>
    );
    this.#drawn.set(row, { look, slot });
    return slot;
  }
}

/** All that the drawing of a row depends on. */
interface Look {
  readonly row: Row;
  /** The reader unfolded it. */
  readonly open: boolean;
  /** No message stands behind it. */
  readonly newest: boolean;
  readonly detail: SummaryDetail | null;
  readonly place: string | undefined;
}

function isSame(one: Look, other: Look): boolean {
  return (
    one.open === other.open && one.newest === other.newest && one.detail === other.detail && one.place === other.place
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

/** Whether nothing was said after the row at `index`. */
function isNewest(rows: readonly Row[], index: number): boolean {
  return rows.findLastIndex(({ kind }) => kind === "message") === index;
}

/** The answers of one turn stand close together. */
function placeInTurn(rows: readonly Row[], index: number): string | undefined {
  if (!isAnswer(rows[index])) return undefined;
  const classes = [isAnswer(rows[index - 1]) ? "goes-on" : "", isAnswer(rows[index + 1]) ? "is-continued" : ""];
  return classes.join(" ").trim() || undefined;
}

function isAnswer(row: Row | undefined): boolean {
  return row?.kind === "message" && row.role === "assistant";
}
