import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { postSummaryAction } from "../state/navigation.ts";
import { directionClass } from "../answer/rightToLeft.ts";
import { words } from "../words/words.ts";
import { isImeComposition } from "../composer/imeComposition.ts";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import { useStore } from "../state/useStore.ts";

interface EditProps {
  readonly summaryId: number;
  readonly text: string;
  /** The reader has just opened it: it takes the focus, unlike when it is only mounted again. */
  readonly wantsFocus: { current: boolean };
}

/** Editor of a summary's text. The edit is retained until it is saved or discarded, like that of a message. */
export function SummaryEdit({ summaryId, text, wantsFocus }: EditProps) {
  const store = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (wantsFocus.current) field.current?.focus();
    wantsFocus.current = false;
  }, []);
  const changeEdit = (words: string | null): void => {
    store.edit({ summaryId }, words);
  };
  const cancel = (): void => {
    changeEdit(null);
  };
  return (
    <div
      class="summary-edit"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isImeComposition(event)) return;
        event.preventDefault();
        event.stopPropagation(); // ends the edit, and nothing else
        cancel();
      }}
    >
      <textarea
        ref={field}
        class={directionClass(text)}
        aria-label={words.summaryEditLabel}
        value={text}
        onInput={(event) => {
          changeEdit(event.currentTarget.value);
        }}
        onBlur={() => {
          store.postDraft();
        }}
      />
      <p class="meta">{words.summaryEditHint}</p>
      <div class="actions">
        <button
          type="button"
          class="button"
          disabled={text.trim() === ""}
          onClick={() => {
            postSummaryAction(store, summaryId, { what: "edit", text });
          }}
        >
          {words.save}
        </button>
        <button type="button" class="button quiet" onClick={cancel}>
          {words.cancel}
        </button>
      </div>
    </div>
  );
}

interface RegenerateProps {
  readonly summaryId: number;
  readonly models: SummaryDetail["models"];
  readonly onRequested: () => void;
  readonly onCancel: () => void;
}

/** Percent of the usual length. */
const lengths = { shorter: 50, same: 100, longer: 200 } as const;

/** Requests another version: by which model, how long, what to preserve above all. */
export function RegenerateForm({ summaryId, models, onRequested, onCancel }: RegenerateProps) {
  const store = useStore();
  const [model, setModel] = useState(models[0]?.id ?? "");
  const [length, setLength] = useState<keyof typeof lengths>("same");
  const [focus, setFocus] = useState("");
  const first = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    first.current?.focus();
  }, []);
  const ask = (): void => {
    postSummaryAction(store, summaryId, { what: "again", model, sizePercent: lengths[length], focus });
    onRequested();
  };
  const id = (what: string): string => `regenerate-${String(summaryId)}-${what}`;
  return (
    <div
      class="regenerate"
      role="group"
      aria-label={words.regenerate}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isImeComposition(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
    >
      <label for={id("length")}>{words.regenerateLength}</label>
      <select
        ref={first}
        id={id("length")}
        value={length}
        onChange={(event) => {
          const value = event.currentTarget.value;
          if (value === "shorter" || value === "same" || value === "longer") setLength(value);
        }}
      >
        {(["shorter", "same", "longer"] as const).map((value) => (
          <option key={value} value={value}>
            {words.regenerateLengths[value]}
          </option>
        ))}
      </select>
      {models.length === 0 ? null : (
        <>
          <label for={id("model")}>{words.regenerateModel}</label>
          <select
            id={id("model")}
            value={model}
            onChange={(event) => {
              setModel(event.currentTarget.value);
            }}
          >
            {models.map((offered) => (
              <option key={offered.id} value={offered.id}>
                {offered.label}
              </option>
            ))}
          </select>
        </>
      )}
      <label for={id("focus")}>{words.regenerateFocus}</label>
      <input
        id={id("focus")}
        type="text"
        value={focus}
        onInput={(event) => {
          setFocus(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !isImeComposition(event)) ask();
        }}
      />
      <div class="actions">
        <button type="button" class="button" onClick={ask}>
          {words.regenerate}
        </button>
        <button type="button" class="button quiet" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </div>
  );
}
