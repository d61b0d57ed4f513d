import { useMemo } from "preact/hooks";
import type { SummaryDetail, SummaryRow } from "../../protocol/toView.ts";
import { MarkdownBlocks } from "../markdown/markdownBlocks.ts";
import { tokenFigure } from "../tokenFigure.ts";
import { words } from "../words.ts";
import { Icon } from "./icon.tsx";
import { Stretches } from "./markdown.tsx";
import { useStore } from "./useStore.ts";

interface SummaryProps {
  readonly row: SummaryRow;
  readonly open: boolean;
  /** Null until the host has sent it. */
  readonly detail: SummaryDetail | null;
}

/** The place where messages were summarized: a thin rule, and a card when the reader opens it. */
export function Summary({ row, open, detail }: SummaryProps) {
  const store = useStore();
  const toggle = (): void => {
    if (!open && detail === null) store.post({ kind: "openSummary", summaryId: row.summaryId });
    store.act({ kind: "toggledRow", rowId: row.rowId });
  };
  return (
    <div
      class={open ? "row summary open" : "row summary"}
      data-kind="summary"
      data-row-id={row.rowId}
      data-summary-id={row.summaryId}
      data-state={row.state}
    >
      <button type="button" class="summary-line" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? "chevronDown" : "chevronRight"} />
        <span class="summary-words">
          <strong>{words.summarized(row.messageCount)}</strong>
          {row.state === "undone" ? ` · ${words.summaryUndone}` : ""}
          <span class="summary-tokens">
            {words.tokenChange(tokenFigure(row.tokensBefore), tokenFigure(row.tokensAfter))}
          </span>
        </span>
      </button>
      {open ? <Card row={row} detail={detail} /> : null}
    </div>
  );
}

function Card({ row, detail }: { readonly row: SummaryRow; readonly detail: SummaryDetail | null }) {
  const store = useStore();
  const markdown = useMemo(() => new MarkdownBlocks(), []);
  const undone = row.state === "undone";
  return (
    <>
      <h2 class="spoken-only">{words.summarized(row.messageCount)}</h2>
      <div class="card-body markdown">
        {detail === null ? (
          <p class="muted">{words.loadingSummary}</p>
        ) : (
          <Stretches blocks={markdown.update(detail.content)} growing={false} />
        )}
      </div>
      <div class="card-meta">
        {row.factsTotal === 0 ? null : <div class="meta">{words.factsKept(row.factsKept, row.factsTotal)}</div>}
        {row.meta === "" ? null : <div class="meta">{row.meta}</div>}
      </div>
      <div class="card-foot">
        {store.readOnly.value ? null : (
          <button
            type="button"
            class="button quiet"
            title={undone ? words.redoHint : words.undoHint}
            onClick={() => {
              store.post({ kind: "setSummaryState", summaryId: row.summaryId, state: undone ? "active" : "undone" });
            }}
          >
            {undone ? words.redo : words.undo}
          </button>
        )}
        <span class="meta">{words.covered(row.firstMessage, row.lastMessage)}</span>
      </div>
    </>
  );
}
