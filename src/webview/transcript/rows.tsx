import { useStore } from "../state/useStore.ts";
import { words } from "../words/words.ts";
import type { VNode } from "preact";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import type { HiddenRow, MessageRow, Row } from "../../protocol/toView.ts";
import { editAt } from "../../protocol/composerDocument.ts";
import { type AppState, rowKeyOf } from "../state/state.ts";
import { Notice } from "../controls/banner.tsx";
import { type JoinedAnswer, joinedRows } from "./joinedRows.ts";
import { canRetry, Message } from "./message.tsx";
import { PureComponent } from "../controls/pureComponent.ts";
import { Summary } from "../summary/summary.tsx";

/** Rows of the window, oldest first. */
export function Rows({ state }: { readonly state: AppState }) {
  const { rows, window } = state;
  const mounted = rows.slice(window.start, window.end);
  const joined = joinedRows(mounted);
  return (
    <div class="rows">
      {mounted.map((row, at) => {
        const key = rowKeyOf(state, row.rowId);
        return joined.rest.has(row.rowId) ? (
          <div key={key} data-key={key} data-row-id={row.rowId} hidden />
        ) : (
          <RowView key={key} name={key} {...rowProps(row, window.start + at, state, joined.answers.get(row.rowId))} />
        );
      })}
    </div>
  );
}

interface RowProps {
  readonly row: Row;
  /** The last row of an answer that was continued; null for all others. */
  readonly end: MessageRow | null;
  /** Unfolded by the reader. */
  readonly open: boolean;
  /** It ended badly and no message follows it: it can be retried. */
  readonly newest: boolean;
  /** The reader is editing it. */
  readonly edited: boolean;
  /** It is not sent, and the next message is. */
  readonly endsUnsent: boolean;
  readonly detail: SummaryDetail | null;
  /** Classes for its place among the answers of its turn; may be empty. */
  readonly turnClasses: string;
}

function rowProps(given: Row, index: number, state: AppState, joined: JoinedAnswer | undefined): RowProps {
  const row = joined?.row ?? given;
  const end = joined?.end ?? row;
  return {
    row,
    end: joined?.end ?? null,
    open: state.openRows.has(row.rowId),
    newest: canRetry(end) && state.rows.findLast(({ kind }) => kind === "message")?.rowId === end.rowId,
    edited:
      row.kind === "message" &&
      editAt(state.composer.document.edits, { messageId: Number(row.messageId) }) !== undefined,
    endsUnsent: row.kind === "message" && row.sent === "notSent" && isSentNext(end, state.rows),
    detail: row.kind === "summary" ? (state.summaryDetails.get(row.summaryId) ?? null) : null,
    turnClasses: turnClassesOf(
      state.rows[index - 1],
      given,
      state.rows[joined === undefined ? index + 1 : state.rows.indexOf(joined.end) + 1],
    ),
  };
}

class RowView extends PureComponent<RowProps & { readonly name: string }> {
  override render(props: this["props"]) {
    return (
      <div data-key={props.name} class={props.turnClasses === "" ? undefined : props.turnClasses}>
        {contentOf(props)}
      </div>
    );
  }
}

/** True if the next message is sent; false without one. */
function isSentNext({ rowId }: Row, rows: readonly Row[]): boolean {
  const next = rows.slice(rows.findIndex((row) => row.rowId === rowId) + 1).find(({ kind }) => kind === "message");
  return next?.kind === "message" && next.sent !== "notSent";
}

function contentOf({ row, end, open, newest, edited, endsUnsent, detail }: RowProps): VNode {
  switch (row.kind) {
    case "message":
      return <Message row={row} end={end ?? row} open={open} newest={newest} edited={edited} endsUnsent={endsUnsent} />;
    case "summary":
      return <Summary row={row} open={open} detail={detail} />;
    case "notice":
      return <Notice row={row} />;
    case "hidden":
      return <HiddenMessage row={row} />;
  }
}

/** Answers of one turn are close together. */
function turnClassesOf(before: Row | undefined, row: Row, after: Row | undefined): string {
  if (!isAnswer(row)) return "";
  const goesOn = isAnswer(before);
  if (!isAnswer(after)) return goesOn ? "goes-on" : "";
  return goesOn ? "goes-on is-continued" : "is-continued";
}

function isAnswer(row: Row | undefined): boolean {
  return row?.kind === "message" && row.role === "assistant";
}

/** Placeholder of a message that the reader has hidden. */
function HiddenMessage({ row }: { readonly row: HiddenRow }) {
  const store = useStore();
  return (
    <div class="row hidden-row meta" data-row-id={row.rowId}>
      <span>{words.hiddenMessage[row.role]}</span>
      <button
        type="button"
        class="text-button"
        onClick={() => {
          store.post({ kind: "messageAction", messageId: row.messageId, act: "show" });
        }}
      >
        {words.showMessage}
      </button>
    </div>
  );
}
