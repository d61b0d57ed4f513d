import { useEffect, useRef, useState } from "preact/hooks";
import { editAt } from "../../protocol/composerDocument.ts";
import { postSummaryAction } from "../state/navigation.ts";
import { words } from "../words/words.ts";
import type { SummaryProps } from "./summaryProps.ts";
import { RegenerateForm, SummaryEdit } from "./summaryForms.tsx";
import { SummaryProgress } from "./summaryProgress.tsx";
import { SummaryTabs } from "./summaryTabs.tsx";
import { useStore } from "../state/useStore.ts";

/** Unfolded summary: its text, facts, originals and actions. */
export function SummaryCard(props: SummaryProps) {
  const { row, detail } = props;
  const { summaryId } = row;
  const store = useStore();
  const edit = editAt(store.edits.value, { summaryId })?.text ?? null;
  const wantsFocus = useRef(false);
  const [isRegenerating, setRegenerating] = useState(false);
  const [isRequested, setAsked] = useState(false);
  useEffect(() => {
    setAsked(false);
  }, [summaryId]);
  useEffect(() => {
    if (detail === null) store.post({ kind: "openSummary", summaryId });
  }, [summaryId, detail === null]);
  const { activity, progress } = store.status.value;
  return (
    <>
      <h2 class="spoken-only">{words.summarized(row.messageCount)}</h2>
      {edit === null ? (
        <SummaryTabs {...props} />
      ) : (
        <SummaryEdit summaryId={summaryId} text={edit} wantsFocus={wantsFocus} />
      )}
      {edit === null ? <SummaryInfo {...props} /> : null}
      {edit !== null || detail === null ? null : isRequested && activity === "summarizing" ? (
        <SummaryProgress progress={progress} />
      ) : isRegenerating ? (
        <RegenerateForm
          summaryId={summaryId}
          models={detail.models}
          onRequested={() => {
            if (activity !== "idle") return; // refused with a reason: the form stays as it was filled in
            setRegenerating(false);
            setAsked(true);
          }}
          onCancel={() => {
            setRegenerating(false);
          }}
        />
      ) : (
        <Buttons
          {...props}
          onEdit={(text) => {
            wantsFocus.current = true;
            store.edit({ summaryId }, text);
          }}
          onRegenerate={() => {
            setRegenerating(true);
          }}
        />
      )}
    </>
  );
}

/** Preserved facts, details that are not in the originals, and the author. */
function SummaryInfo({ row }: SummaryProps) {
  return (
    <div class="card-meta">
      {row.isStale ? <div class="meta">{words.summaryStaleHint}</div> : null}
      {row.state === "undone" || row.isStale || words.summaryUseHints[row.use] === "" ? null : (
        <div class="meta">{words.summaryUseHints[row.use]}</div>
      )}
      {row.effect === "" ? null : <div class="meta">{row.effect}</div>}
      {row.factsTotal === 0 ? null : <div class="meta">{words.factsKept(row.factsKept, row.factsTotal)}</div>}
      {row.unverifiedCount === 0 ? null : (
        <div class="meta">
          <span class="unverified">{words.unverifiedCount(row.unverifiedCount)}</span>
        </div>
      )}
      {row.meta === "" ? null : <div class="meta">{row.meta}</div>}
    </div>
  );
}

interface ButtonsProps extends SummaryProps {
  readonly onEdit: (text: string) => void;
  readonly onRegenerate: () => void;
}

function Buttons({ row, detail, onEdit, onRegenerate }: ButtonsProps) {
  const store = useStore();
  const { summaryId, redoId } = row;
  const active = row.state === "active";
  const readOnly = store.isReadOnly.value;
  const setState = (id: number, state: "active" | "undone"): void => {
    store.post({ kind: "setSummaryState", summaryId: id, state });
  };
  return (
    <div class="card-foot">
      <div class="actions">
        {active && !readOnly ? (
          <>
            {row.isStale ? null : (
              <button
                type="button"
                class="button quiet"
                onClick={() => {
                  onEdit(detail?.content ?? "");
                }}
              >
                {words.edit}
              </button>
            )}
            <button type="button" class={row.isStale ? "button" : "button quiet"} onClick={onRegenerate}>
              {row.isStale ? words.summaryAnew : words.regenerate}
            </button>
            <button
              type="button"
              class="button quiet"
              title={words.undoHint}
              onClick={() => {
                setState(summaryId, "undone");
              }}
            >
              {words.undo}
            </button>
          </>
        ) : null}
        {redoId === null || readOnly ? null : (
          <button
            type="button"
            class="button quiet"
            title={words.redoHint}
            onClick={() => {
              setState(redoId, "active");
            }}
          >
            {words.redo}
          </button>
        )}
        <button
          type="button"
          class="button quiet"
          title={words.compareHint}
          onClick={() => {
            postSummaryAction(store, summaryId, { what: "compare", version: null });
          }}
        >
          {words.compare}
        </button>
        <button
          type="button"
          class="button quiet"
          title={words.summaryRequestHint}
          onClick={() => {
            postSummaryAction(store, summaryId, { what: "request" });
          }}
        >
          {words.summaryRequest}
        </button>
      </div>
      <span class="meta">{words.covered(row.firstMessage, row.lastMessage)}</span>
    </div>
  );
}
