import { useStore } from "../state/useStore.ts";
import { words } from "../words/words.ts";
import type { VNode } from "preact";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import type { Row, HiddenRow } from "../../protocol/toView.ts";
import { editAt } from "../../protocol/composerDocument.ts";
import { type AppState, rowKeyOf } from "../state/state.ts";
import { Notice } from "../controls/banner.tsx";
import { canRetry, Message } from "./message.tsx";
import { PureComponent } from "../controls/pureComponent.ts";
import { Summary } from "../summary/summary.tsx";

/** Rows of the window, oldest first. */
export function Rows({ state }: { readonly state: AppState }) {
  const { rows, window } = state;
  return (
    <div class="rows">
      {rows.slice(window.start, window.end).map((row, at) => {
        const key = rowKeyOf(state, row.rowId);
        return <RowView key={key} name={key} {...rowProps(row, window.start + at, state)} />;
      })}
    </div>
  );
}

interface RowProps {
  readonly row: Row;
  /** Unfolded by the reader. */
  readonly open: boolean;
  /** It ended badly and no message follows it: it can be retried. */
  readonly newest: boolean;
  /** The reader is editing it. */
  readonly edited: boolean;
  readonly detail: SummaryDetail | null;
  /** Classes for its place among the answers of its turn; may be empty. */
  readonly turnClasses: string;
}

function rowProps(row: Row, index: number, state: AppState): RowProps {
  return {
    row,
    open: state.openRows.has(row.rowId),
    newest: canRetry(row) && state.rows.findLastIndex(({ kind }) => kind === "message") === index,
    edited:
      row.kind === "message" &&
      editAt(state.composer.document.edits, { messageId: Number(row.messageId) }) !== undefined,
    detail: row.kind === "summary" ? (state.summaryDetails.get(row.summaryId) ?? null) : null,
    turnClasses: turnClassesOf(state.rows, index),
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

function contentOf({ row, open, newest, edited, detail }: RowProps): VNode {
  switch (row.kind) {
    case "message":
      return <Message row={row} open={open} newest={newest} edited={edited} />;
    case "summary":
      return <Summary row={row} open={open} detail={detail} />;
    case "notice":
      return <Notice row={row} />;
    case "hidden":
      return <HiddenMessage row={row} />;
  }
}

/** Answers of one turn are close together. */
function turnClassesOf(rows: readonly Row[], index: number): string {
  if (!isAnswer(rows[index])) return "";
  const goesOn = isAnswer(rows[index - 1]);
  if (!isAnswer(rows[index + 1])) return goesOn ? "goes-on" : "";
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
