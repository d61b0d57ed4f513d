import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";

/** Older messages are being summarized: how far it is, and a way to leave it. Stands where the marker will. */
export function SummaryProgress({ percent }: { readonly percent: number | null }) {
  const store = useStore();
  return (
    <div class="row progress">
      <div class="progress-line">
        <span>{percent === null ? words.summarizing : words.summarizingAt(percent)}</span>
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
        <div class="progress-done" style={{ width: `${String(percent ?? 0)}%` }} />
      </div>
    </div>
  );
}
