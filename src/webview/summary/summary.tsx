import { formatTokenCount } from "../words/formatTokenCount.ts";
import { words } from "../words/words.ts";
import { Icon } from "../controls/icon.tsx";
import { SummaryCard } from "./summaryCard.tsx";
import type { SummaryProps } from "./summaryProps.ts";
import { useStore } from "../state/useStore.ts";

/** Row of a summary: a thin rule, and a card when unfolded. */
export function Summary(props: SummaryProps) {
  const { row, open } = props;
  const store = useStore();
  return (
    <div
      class={open ? "row summary open" : "row summary"}
      data-row-id={row.rowId}
      data-kind="summary"
      data-summary-id={row.summaryId}
      data-state={row.isStale ? "stale" : row.state}
      data-use={row.use}
    >
      <button
        type="button"
        class="summary-line"
        aria-expanded={open}
        onClick={() => {
          store.dispatch({ kind: "toggledRow", rowId: row.rowId });
        }}
      >
        <Icon name={open ? "chevronDown" : "chevronRight"} />
        <span class="summary-words">
          <span class="summary-what">
            <strong>{row.isStale ? words.summaryStale : words.summarized(row.messageCount)}</strong>
            {stateOf(row) === "" ? "" : ` · ${stateOf(row)}`}
          </span>{" "}
          <span class="summary-tokens">
            {row.isStale
              ? words.summaryStaleWhy
              : words.tokenChange(formatTokenCount(row.tokensBefore), formatTokenCount(row.tokensAfter))}
          </span>
        </span>
      </button>
      <div class="meta summary-cause">
        {[words.summaryNumber(row.number), ...(row.cause === "" ? [] : [row.cause])].join(" · ")}
      </div>
      {open ? <SummaryCard {...props} /> : null}
    </div>
  );
}

/** Empty for a summary that is sent; a stale one says so instead of its name. */
function stateOf({ state, isStale, use }: SummaryProps["row"]): string {
  if (state === "undone") return words.summaryUndone;
  return isStale ? "" : words.summaryUses[use];
}
