import { useState } from "preact/hooks";
import type { OfferAction } from "../../protocol/toHost.ts";
import type { OfferedText, OfferView } from "../../protocol/summaryView.ts";
import { directionClass } from "../answer/rightToLeft.ts";
import { isImeComposition } from "../composer/imeComposition.ts";
import { useStore } from "../state/useStore.ts";
import { words } from "../words/words.ts";

/** Texts of a summary that is not in use yet; the reader opens them to change them. Those only planned are written then. */
export function Offer({ offer }: { readonly offer: OfferView }) {
  const store = useStore();
  const { offerId, revision, isBusy, summaries } = offer;
  const isEdited = summaries.some((each) => each.isEdited);
  const [isOpen, setOpen] = useState(isEdited);
  const ask = (what: OfferAction): void => {
    store.post({ kind: "offer", offerId, ask: what });
  };
  if (isBusy) return null;
  const isWritten = summaries.length > 0;
  if (!isOpen || !isWritten) {
    return (
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            if (!isWritten) ask({ what: "write" });
            setOpen(true);
          }}
        >
          {words.offerEdit}
        </button>
      </div>
    );
  }
  return (
    <div class="offer-edit" role="group" aria-label={words.offerEdit}>
      {summaries.map((each) => (
        <OfferedSummary
          key={`${String(offerId)}-${String(revision)}-${String(each.index)}`}
          offered={each}
          onText={(text) => {
            ask({ what: "edit", index: each.index, text });
          }}
          onClose={() => {
            setOpen(false);
          }}
        />
      ))}
      <p class="meta">{words.offerEditHint}</p>
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            ask({ what: "shorter" });
          }}
        >
          {words.offerShorter}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            ask({ what: "otherModel" });
          }}
        >
          {words.offerOtherModel}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            if (isEdited) ask({ what: "revert" });
            else setOpen(false);
          }}
        >
          {isEdited ? words.offerRevert : words.offerClose}
        </button>
      </div>
    </div>
  );
}

interface OfferedProps {
  readonly offered: OfferedText;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

/** The field keeps its own text, as the host's copy follows a moment later. */
function OfferedSummary({ offered: { label, text: given }, onText, onClose }: OfferedProps) {
  const [text, setText] = useState(given);
  return (
    <label class="offered">
      <span class="meta">{label}</span>
      <textarea
        class={directionClass(text)}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          onText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isImeComposition(event)) return;
          event.preventDefault();
          event.stopPropagation(); // closes the editor, and stops nothing
          onClose();
        }}
      />
    </label>
  );
}
