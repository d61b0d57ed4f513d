/**
 * Long texts that are pasted or dropped: they are added to the message, and the composer stays quick. Pasting with Shift puts
 * the text itself into it; Undo takes back what was pasted last, Redo brings it again.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { LONG_PASTE_LENGTH, MOST_ATTACHMENTS } from "../../protocol/attachmentView.ts";
import type { Store } from "../store.ts";
import { words } from "../words.ts";

/** What the composer asks. */
export interface PastedText {
  /** Adds the text of `data` if it is long; whether it did. */
  readonly add: (data: DataTransfer | null) => boolean;
  /** Whether the key undid a paste, or brought one back. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** The paste that Undo would take back. */
interface LastPaste {
  readonly text: string;
  /** What stood in the composer then; once that is another text, Undo is about the text. */
  readonly composerText: string;
  /** Null while it is undone. */
  readonly pasteId: string | null;
}

/** For the composer whose field is `field`. */
export function usePastedText(store: Store, field: RefObject<HTMLTextAreaElement | null>): PastedText {
  const isPlain = useRef(false);
  const last = useRef<LastPaste | null>(null);
  const attach = (text: string): void => {
    const pasteId = crypto.randomUUID();
    last.current = { text, composerText: field.current?.value ?? "", pasteId };
    store.post({ kind: "attachText", pasteId, text });
    store.say(words.spokenPasted);
  };
  useReturnedText(store, field);
  return {
    add: (data) => {
      const isText = !isPlain.current && !store.readOnly.peek();
      const isRoom = store.attachments.peek().length < MOST_ATTACHMENTS;
      const text = isText && isRoom ? (data?.getData("text/plain") ?? "") : "";
      if (text.length < LONG_PASTE_LENGTH) return false;
      attach(text.replaceAll(/\r\n?/g, "\n"));
      return true;
    },
    onKey: (event) => {
      const key = event.key.toLowerCase();
      const hasControl = (event.ctrlKey || event.metaKey) && !event.altKey;
      isPlain.current = hasControl && event.shiftKey && key === "v";
      // A desktop editor keeps this key from the page, and has nothing of its own for it.
      if (isPlain.current) event.stopPropagation();
      const { current } = last;
      if (!hasControl || current === null || current.composerText !== field.current?.value) return false;
      const isUndo = key === "z" && !event.shiftKey;
      const isRedo = key === "y" || (key === "z" && event.shiftKey);
      if (isUndo && current.pasteId !== null) {
        store.post({ kind: "detachPaste", pasteId: current.pasteId });
        last.current = { ...current, pasteId: null };
        store.say(words.spokenUnpasted);
      } else if (isRedo && current.pasteId === null) attach(current.text);
      else return false;
      event.stopPropagation(); // else the editor has the field undo as well
      return true;
    },
  };
}

/** Puts into the field, at the caret, what was added and shall be text of the message. It is told before it is taken away. */
function useReturnedText(store: Store, field: RefObject<HTMLTextAreaElement | null>): void {
  const returned = store.returnedText.value;
  useLayoutEffect(() => {
    const { current } = field;
    if (returned === null || current === null) return;
    store.returnedText.value = null;
    const { attachmentId, text } = returned;
    if (!store.attachments.peek().some((attachment) => attachment.attachmentId === attachmentId)) return;
    current.focus();
    current.setRangeText(text, current.selectionStart, current.selectionEnd, "end");
    store.typed(current.value);
    store.postDraft();
    store.post({ kind: "detach", attachmentId });
    store.say(words.spokenAsText);
  }, [returned]);
}
