import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { MessageRow } from "../../protocol/toView.ts";
import { editAt } from "../../protocol/composerDocument.ts";
import { directionClass } from "../answer/rightToLeft.ts";
import { words } from "../words/words.ts";
import { Attachments } from "../composer/attachments.tsx";
import { BranchSwitch, PinMark } from "./messageMarks.tsx";
import { isImeComposition } from "../composer/imeComposition.ts";
import { LongText } from "../answer/longText.tsx";
import { MessageToolbar } from "./messageToolbar.tsx";
import { Recalled } from "./recalled.tsx";
import { useStore } from "../state/useStore.ts";

interface UserMessageProps {
  readonly row: MessageRow;
  /** It is being edited. */
  readonly edited: boolean;
  /** The reader unfolded what was recalled for it. */
  readonly open: boolean;
}

/** Text of the user, or the field in which it is edited. */
export function UserMessage({ row, edited, open }: UserMessageProps) {
  const store = useStore();
  const wantsFocus = useRef(false);
  if (edited) return <Editor row={row} wantsFocus={wantsFocus} />;
  const edit = (): void => {
    wantsFocus.current = true;
    store.edit({ messageId: Number(row.messageId) }, row.text);
  };
  const openAttachment = (attachmentId: string): void => {
    store.post({ kind: "openAttachment", messageId: Number(row.messageId), attachmentId });
  };
  return (
    <>
      <Attachments attachments={row.attachments} open={openAttachment} />
      {row.text === "" ? null : (
        <p class="typed">
          <LongText text={row.text} />
        </p>
      )}
      {row.recalled === undefined ? null : <Recalled rowId={row.rowId} passages={row.recalled} open={open} />}
      {row.pinned || row.branch !== null ? (
        <div class="meta marks">
          <PinMark row={row} />
          <BranchSwitch row={row} />
        </div>
      ) : null}
      <MessageToolbar row={row} edit={edit} />
    </>
  );
}

interface EditorProps {
  readonly row: MessageRow;
  /** The reader has just begun the edit: it takes the focus, unlike when it is only mounted again. */
  readonly wantsFocus: { current: boolean };
}

/** Enter sends it as another branch, Escape discards it. An edit being sent stays until the host has accepted it. */
function Editor({ row, wantsFocus }: EditorProps) {
  const store = useStore();
  const messageId = Number(row.messageId);
  const edit = useComputed(() => editAt(store.edits.value, { messageId })).value;
  const text = edit?.text ?? row.text;
  const sendId = edit?.sendId ?? null;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    field.current?.focus();
    field.current?.setSelectionRange(row.text.length, row.text.length);
  }, []);
  const changeEdit = (words: string | null): void => {
    store.edit({ messageId }, words);
  };
  const done = (): void => {
    changeEdit(null);
  };
  const send = (): void => {
    if (text.trim() !== "" && sendId === null) store.sendEdit(messageId, text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isImeComposition(event)) return;
    if (event.key === "Escape") done();
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
    event.stopPropagation(); // Escape ends the edit without stopping the answer
  };
  return (
    <div class="message-editor">
      <Attachments attachments={row.attachments} />
      <textarea
        ref={field}
        rows={1}
        class={directionClass(text)}
        aria-label={words.editMessage}
        value={text}
        readOnly={sendId !== null}
        onInput={(event) => {
          changeEdit(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          store.postDraft();
        }}
      />
      <div class="actions">
        <button type="button" class="button" disabled={text.trim() === "" || sendId !== null} onClick={send}>
          {words.send}
        </button>
        <button type="button" class="button quiet" onClick={done}>
          {words.cancel}
        </button>
        <span class="meta">{words.editHint}</span>
      </div>
    </div>
  );
}
