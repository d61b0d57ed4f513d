import { useEffect, useRef } from "preact/hooks";
import { tokenFigure } from "../tokenFigure.ts";
import { words } from "../words.ts";
import { isComposing } from "./composing.ts";
import { Icon } from "./icon.tsx";
import { Meter, meterWords } from "./meter.tsx";
import { Queue } from "./queue.tsx";
import { useStore } from "./useStore.ts";

/** Where the user writes. Enter sends, Shift and Enter break the line, Escape stops; none of it while composing. */
export function Composer() {
  const store = useStore();
  const { text } = store.composer.value;
  const { usage, draftTokens } = store.status.value;
  const readOnly = store.readOnly.value;
  const hint = store.hint.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const focusRequests = store.focusRequests.value;
  useEffect(() => {
    if (focusRequests > 0) field.current?.focus();
  }, [focusRequests]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    store.send();
  };
  return (
    <div class="composer" role="group" aria-label={words.composer}>
      <Queue />
      {hint === null ? null : <p class="hint meta">{hint}</p>}
      <div class="field">
        <Meter usage={usage} draftTokens={text === "" ? 0 : draftTokens} />
        <textarea
          ref={field}
          rows={1}
          aria-label={words.composer}
          placeholder={readOnly ? words.readOnly : words.composer}
          readOnly={readOnly}
          value={text}
          onInput={(event) => {
            store.typed(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => {
            store.postDraft();
          }}
        />
        <Tools />
      </div>
    </div>
  );
}

function Tools() {
  const store = useStore();
  const { model, usage, activity, draftTokens } = store.status.value;
  const { text } = store.composer.value;
  const counted = text === "" || draftTokens === null || draftTokens === 0 ? null : tokenFigure(draftTokens);
  return (
    <div class="tools">
      {model.label === "" ? null : <ModelButton label={model.label} />}
      <button
        type="button"
        class={`text-button figure severity-${String(usage.severity)}`}
        title={meterWords(usage, text === "" ? null : draftTokens)}
        onClick={() => {
          store.command("showContext");
        }}
      >
        <span>
          {counted === null ? null : (
            <span class="draft-tokens">
              {words.draftTokens(counted)}
              <span class="wide-only"> {words.draftTokensUnit}</span>
              {" · "}
            </span>
          )}
          {usage.text}
        </span>
      </button>
      {activity === "streaming" ? <StopButton /> : null}
      <SendButton empty={text.trim() === ""} />
    </div>
  );
}

function ModelButton({ label }: { readonly label: string }) {
  const store = useStore();
  return (
    <button
      type="button"
      class="text-button model"
      title={words.changeModel(label)}
      aria-label={words.changeModel(label)}
      onClick={() => {
        store.command("switchModel");
      }}
    >
      <span class="model-name">{label}</span>
      <Icon name="chevronDown" />
    </button>
  );
}

function StopButton() {
  const store = useStore();
  return (
    <button
      type="button"
      class="square-button"
      aria-label={words.stop}
      title={words.stop}
      onClick={() => {
        store.stop();
      }}
    >
      <Icon name="stop" />
    </button>
  );
}

/** Always in the same place. What can not be sent now keeps its reason in the tooltip. */
function SendButton({ empty }: { readonly empty: boolean }) {
  const store = useStore();
  const blocked = store.blocked.value;
  const { activity } = store.status.value;
  const busy = activity === "streaming" || activity === "summarizing";
  return (
    <button
      type="button"
      class="square-button"
      aria-label={words.send}
      aria-disabled={blocked !== null || empty}
      title={blocked ?? (busy ? words.sendQueued : words.send)}
      onClick={() => {
        store.send();
      }}
    >
      <Icon name="arrowUp" />
    </button>
  );
}
