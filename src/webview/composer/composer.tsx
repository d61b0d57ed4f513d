import { useLayoutEffect, useRef } from "preact/hooks";
import { LONG_PASTE_LENGTH } from "../../protocol/attachmentView.ts";
import { directionClass } from "../answer/rightToLeft.ts";
import { formatTokenCount } from "../words/formatTokenCount.ts";
import { closeContext } from "../state/navigation.ts";
import { words } from "../words/words.ts";
import { Attachments } from "./attachments.tsx";
import { choiceId, ComposerMenu, composerMenuId } from "./composerMenu.tsx";
import { isImeComposition } from "./imeComposition.ts";
import { Icon } from "../controls/icon.tsx";
import { IconButton } from "../controls/iconButton.tsx";
import { goToNeighbour } from "../transcript/messageKeys.ts";
import { Meter, meterTooltip } from "../context/meter.tsx";
import { Queue } from "./queue.tsx";
import { useInputHistory } from "./inputHistory.ts";
import { useComposerMenu } from "./useComposerMenu.ts";
import { usePastedText } from "./usePastedText.ts";
import { useDroppedItems } from "./useDroppedItems.ts";
import { useStore } from "../state/useStore.ts";

/** Message field. Enter sends, Shift+Enter breaks the line, Escape stops the answer, except during IME composition. */
export function Composer() {
  const store = useStore();
  const { text } = store.composer.value;
  const { usage, draftTokens } = store.status.value;
  const readOnly = store.isReadOnly.value;
  const hint = store.hint.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const focusRequests = store.focusRequests.value;
  useLayoutEffect(() => {
    if (focusRequests > 0) field.current?.focus();
  }, [focusRequests]);

  const attachments = store.attachments.value;
  const attachmentCount = useRef(0);
  useLayoutEffect(() => {
    const isMore = attachments.length > attachmentCount.current;
    attachmentCount.current = attachments.length;
    if (isMore) box.current?.querySelector(".attachments > :last-child")?.scrollIntoView({ block: "nearest" });
  }, [attachments]);

  const menu = useComposerMenu(store, field);
  const isListed = menu.menu !== null && menu.menu.choices.length > 0;
  const mention = (): void => {
    const { current } = field;
    if (current === null || current.readOnly) return;
    current.focus();
    const isWord = /\S$/.test(current.value.slice(0, current.selectionStart));
    current.setRangeText(isWord ? " @" : "@", current.selectionStart, current.selectionEnd, "end");
    store.typed(current.value);
    menu.update();
  };
  const recallMessage = useInputHistory(store, field);
  const pasted = usePastedText(store, field);
  const dropped = useDroppedItems(store, pasted);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isImeComposition(event)) return;
    if (pasted.onKey(event)) {
      event.preventDefault();
      return;
    }
    const isForMenu = menu.onKey(event);
    if (isForMenu) event.stopPropagation(); // Escape closes the menu without stopping the answer
    const sends = !isForMenu && event.key === "Enter" && !event.shiftKey;
    if (sends) store.send();
    if (isForMenu || sends || recallMessage(event) || goToMessages(event)) event.preventDefault();
  };
  return (
    <div
      class={dropped.isOver ? "composer dropping" : "composer"}
      role="group"
      aria-label={words.composer}
      onDragOver={dropped.onDragOver}
      onDragLeave={dropped.onDragLeave}
      onDrop={dropped.onDrop}
    >
      <Queue />
      {hint === null ? null : <p class="hint meta">{hint}</p>}
      {menu.menu === null ? null : <ComposerMenu {...menu.menu} choose={menu.choose} />}
      <div ref={box} class="field">
        <Meter usage={usage} draftTokens={text === "" && attachments.length === 0 ? 0 : draftTokens} />
        <textarea
          ref={field}
          rows={1}
          class={text.length > LONG_PASTE_LENGTH ? "long" : directionClass(text)}
          aria-label={words.composer}
          placeholder={readOnly ? words.readOnly : words.composer}
          readOnly={readOnly}
          value={text}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isListed ? composerMenuId : undefined}
          aria-activedescendant={isListed && menu.menu.active >= 0 ? choiceId(menu.menu.active) : undefined}
          onInput={(event) => {
            store.typed(event.currentTarget.value);
            menu.update();
          }}
          onSelect={menu.update}
          onCompositionStart={menu.onComposition}
          onCompositionEnd={menu.onComposition}
          onKeyDown={onKeyDown}
          onPaste={dropped.onPaste}
          onBlur={() => {
            menu.close();
            store.postDraft();
          }}
        />
        <Attachments
          attachments={attachments}
          open={(attachmentId) => {
            store.post({ kind: "openAttachment", messageId: null, attachmentId });
          }}
          asText={(attachmentId) => {
            store.post({ kind: "attachmentText", attachmentId });
          }}
          remove={(attachmentId) => {
            store.post({ kind: "detach", attachmentId });
            field.current?.focus();
          }}
        />
        <ComposerBar mention={mention} focusField={() => field.current?.focus()} />
      </div>
    </div>
  );
}

/** ArrowUp at the start of the text focuses the newest message. */
function goToMessages(event: KeyboardEvent): boolean {
  const log = document.querySelector<HTMLElement>("[role=log]");
  const isAtStart = event.target instanceof HTMLTextAreaElement && event.target.selectionEnd === 0;
  return isAtStart && event.key === "ArrowUp" && log !== null && goToNeighbour(log, event);
}

function ComposerBar({ mention, focusField }: { readonly mention: () => void; readonly focusField: () => void }) {
  const store = useStore();
  const { model, usage, activity, draftTokens } = store.status.value;
  const { text } = store.composer.value;
  const isEmpty = text === "" && store.attachments.value.length === 0;
  const counted = isEmpty || draftTokens === null || draftTokens === 0 ? null : formatTokenCount(draftTokens);
  return (
    <div class="tools">
      <IconButton icon="mention" label={words.attach} onPress={mention} />
      {model.label === "" ? null : <ModelButton label={model.label} path={model.path} />}
      <button
        type="button"
        class={`text-button figure severity-${String(usage.severity)}`}
        title={meterTooltip(usage, isEmpty ? null : draftTokens)}
        onClick={() => {
          if (!closeContext(store)) store.command("showContext");
        }}
      >
        <span>
          {counted === null ? null : (
            <span class={`draft-tokens${(draftTokens ?? 0) > usage.budgetTokens ? " severity-2" : ""}`}>
              {words.draftTokens(counted)}
              <span class="wide-only"> {words.draftTokensUnit}</span>
              {" · "}
            </span>
          )}
          <UsageText text={usage.text} isAlone={counted === null && activity !== "streaming"} />
        </span>
      </button>
      {activity === "streaming" ? <StopButton /> : null}
      <SendButton empty={text.trim() === ""} focusField={focusField} />
    </div>
  );
}

/** Usage; of "2.1k / 129k (2%) [1S]" only the percentage where the model's name leaves no more room. */
function UsageText({ text, isAlone }: { readonly text: string; readonly isAlone: boolean }) {
  const parts = /^(.*\()(\d+%)(\).*)$/.exec(text);
  if (parts === null) return <>{text}</>;
  const around = isAlone ? "roomy-only" : "wide-only";
  return (
    <>
      <span class={around}>{parts[1]}</span>
      {parts[2]}
      <span class={around}>{parts[3]}</span>
    </>
  );
}

function ModelButton({ label, path }: { readonly label: string; readonly path: string | undefined }) {
  const store = useStore();
  return (
    <button
      type="button"
      class="text-button model"
      title={path === undefined ? words.changeModel(label) : `${words.changeModel(label)}\n${path}`}
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

/** Always in the same place. The tooltip says why sending is blocked. A click returns the focus to the field. */
function SendButton({ empty, focusField }: { readonly empty: boolean; readonly focusField: () => void }) {
  const store = useStore();
  const blocked = store.blockReason.value;
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
        focusField();
      }}
    >
      <Icon name="arrowUp" />
    </button>
  );
}
