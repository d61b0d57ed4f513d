import type { HiddenRow } from "../../protocol/toView.ts";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";

/** Placeholder of a message that the reader has hidden. */
export function HiddenMessage({ row }: { readonly row: HiddenRow }) {
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
