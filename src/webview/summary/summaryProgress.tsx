import type { SummaryProgressView } from "../../protocol/summaryView.ts";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";

/** Progress of a running summary, with a button to cancel it. Placed where its row will be. */
export function SummaryProgress({ progress }: { readonly progress: SummaryProgressView | null }) {
  const store = useStore();
  return (
    <div class="row progress">
      <div class="progress-line">
        <span>{progress === null ? words.summarizing : words.summarizingAt(progress)}</span>
        <span aria-hidden="true">·</span>
        <button
          type="button"
          class="text-button"
          onClick={() => {
            store.command("cancelSummary");
          }}
        >
          {words.cancel}
        </button>
      </div>
      <div class="progress-track">
        <div class="progress-done" style={{ width: `${String(progress?.percent ?? 0)}%` }} />
      </div>
    </div>
  );
}
