import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MessageRow } from "../../protocol/toView.ts";
import { words } from "../words.ts";
import { Attachments } from "./attachments.tsx";
import { BranchSwitch, PinMark } from "./messageMarks.tsx";
import { isComposing } from "./composing.ts";
import { LongText } from "./longText.tsx";
import { MessageTools } from "./messageTools.tsx";
import { useStore } from "./useStore.ts";

/** What the user said, or in its place the field in which it is said anew. */
export function UserMessage({ row }: { readonly row: MessageRow }) {
  const store = useStore();
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <Editor
        row={row}
        done={() => {
          setEditing(false);
        }}
      />
    );
  }
  return userView(row, {
    edit: () => {
      setEditing(true);
    },
    open: (attachmentId) => {
      store.post({ kind: "openAttachment", messageId: Number(row.messageId), attachmentId });
    },
  });
}

interface UserActs {
  readonly edit: () => void;
  /** Shows the text of what was added. */
  readonly open: (attachmentId: string) => void;
}

/** What a {@link UserMessage} looks like. */
export function userView(row: MessageRow, { edit, open }: UserActs): VNode {
  return (
    <>
      <Attachments attachments={row.attachments} open={open} />
      {row.text === "" ? null : (
        <p class="typed">
          <LongText text={row.text} />
        </p>
      )}
      {row.pinned || row.branch !== null ? (
        <div class="meta marks">
          <PinMark row={row} />
          <BranchSwitch row={row} />
        </div>
      ) : null}
      <MessageTools row={row} edit={edit} />
    </>
  );
}

interface EditorProps {
  readonly row: MessageRow;
  readonly done: () => void;
}

/** Enter sends it as another way on, Escape leaves it as it was. */
function Editor({ row, done }: EditorProps) {
  const store = useStore();
  const [text, setText] = useState(row.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(row.text.length, row.text.length);
  }, []);
  const send = (): void => {
    if (text.trim() === "") return;
    store.editMessage(Number(row.messageId), text);
    done();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === "Escape") done();
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
    event.stopPropagation(); // Escape ends the edit here, and does not stop the answer
  };
  return (
    <div class="message-editor">
      <Attachments attachments={row.attachments} />
      <textarea
        ref={field}
        rows={1}
        aria-label={words.editMessage}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="actions">
        <button type="button" class="button" disabled={text.trim() === ""} onClick={send}>
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
