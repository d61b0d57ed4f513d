/**
 * Long text that is pasted or dropped becomes an attachment, which keeps the composer fast. Shift pastes the text
 * itself; Undo removes the last paste, Redo restores it. Moving an attachment's text into the message is undone here,
 * too: the browser would insert long text line by line to record it, and freeze.
 */
import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { LONG_PASTE_LENGTH, MAX_ATTACHMENTS } from "../../protocol/attachmentView.ts";
import type { Store } from "../state/store.ts";
import { words } from "../words/words.ts";
import { replaceText } from "./insertText.ts";

export interface PastedText {
  /** Attaches the text of `data` if it is long; returns whether it did. */
  readonly add: (data: DataTransfer | null) => boolean;
  /** Whether the key undid or redid a paste. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** A paste that can be undone, or redone. */
interface Paste {
  readonly pasteId: string;
  readonly text: string;
  /** Text of the composer at that time; once it differs, Undo concerns the text. */
  readonly composerText: string;
  /** The host has the attachment. */
  isThere: boolean;
}

export function usePastedText(store: Store, field: RefObject<HTMLTextAreaElement | null>): PastedText {
  const isPlain = useRef(false);
  const { done, undone } = usePastes(store);
  const returned = useAttachmentText(store, field);
  const attach = (text: string, composerText = field.current?.value ?? ""): void => {
    const pasteId = crypto.randomUUID();
    done.push({ pasteId, text, composerText, isThere: false });
    store.post({ kind: "attachText", pasteId, text });
    store.announce(words.spokenPasted);
  };
  const lastOf = (pastes: Paste[]): Paste | undefined =>
    pastes.at(-1)?.composerText === field.current?.value ? pastes.pop() : undefined;
  const undo = (): boolean => {
    const paste = lastOf(done);
    if (paste === undefined) return reattach();
    store.post({ kind: "detachPaste", pasteId: paste.pasteId });
    undone.push(paste);
    store.announce(words.spokenUnpasted);
    return true;
  };
  const redo = (): boolean => {
    const paste = lastOf(undone);
    if (paste === undefined) return reinsert();
    attach(paste.text);
    return true;
  };
  /** Turns text that was moved into the message back into an attachment. */
  const reattach = (): boolean => {
    const [{ current: at }, text] = [field, returned.current];
    if (at === null || at.value !== text?.after) return false;
    attach(text.text, text.before);
    replaceText(store, at, text.before, text.caret);
    return true;
  };
  const reinsert = (): boolean => {
    const [{ current: at }, text, paste] = [field, returned.current, done.at(-1)];
    if (at === null || text === null || paste?.text !== text.text || at.value !== text.before) return false;
    done.pop();
    replaceText(store, at, text.after, text.caret + text.text.length);
    store.postDraft();
    store.post({ kind: "detachPaste", pasteId: paste.pasteId });
    store.announce(words.spokenAsText);
    return true;
  };
  return {
    add: (data) => {
      // Nothing can be attached without a conversation that can be stored: the text itself stays in the composer.
      const isStored = store.status.peek().activity !== "blocked" && !store.isReadOnly.peek();
      const isText = !isPlain.current && isStored;
      isPlain.current = false; // the key was for this paste only
      const isRoom = store.attachments.peek().length < MAX_ATTACHMENTS;
      const text = isText && isRoom ? (data?.getData("text/plain") ?? "") : "";
      if (text.length < LONG_PASTE_LENGTH) return false;
      undone.length = 0;
      attach(text.replaceAll(/\r\n?/g, "\n"));
      return true;
    },
    onKey: (event) => {
      const key = event.key.toLowerCase();
      const hasControl = (event.ctrlKey || event.metaKey) && !event.altKey;
      isPlain.current = hasControl && event.shiftKey && key === "v";
      // A desktop editor keeps this key from the page, although it has no action for it.
      if (isPlain.current) event.stopPropagation();
      if (!hasControl || (key !== "z" && key !== "y")) return false;
      const isTaken = key === "z" && !event.shiftKey ? undo() : redo();
      if (isTaken) event.stopPropagation(); // else the editor makes the field undo as well
      return isTaken;
    },
  };
}

/** Pastes to undo and redo, oldest first; without removed ones and those of an earlier message or conversation. */
function usePastes(store: Store): { readonly done: Paste[]; readonly undone: Paste[] } {
  const pastes = useRef<{ readonly done: Paste[]; readonly undone: Paste[] }>({ done: [], undone: [] }).current;
  const attachments = store.attachments.value;
  const conversationId = useComputed(() => store.state.value.conversationId).value; // no rerender per delta
  const isSending = store.composer.value.sending.length > 0;
  useLayoutEffect(() => {
    const left = pastes.done.filter((paste) => {
      const isThere = attachments.some(({ attachmentId }) => attachmentId.endsWith(paste.pasteId));
      const isGone = paste.isThere && !isThere;
      paste.isThere ||= isThere;
      return !isGone;
    });
    pastes.done.splice(0, pastes.done.length, ...left);
  }, [attachments]);
  useLayoutEffect(() => {
    pastes.done.length = 0;
    pastes.undone.length = 0;
  }, [conversationId, isSending]);
  return pastes;
}

/** Text of an attachment moved into the message, and the composer's text before and after. */
interface InsertedText {
  readonly text: string;
  readonly before: string;
  readonly after: string;
  /** Offset at which it was inserted. */
  readonly caret: number;
}

/** Inserts an attachment's text at the caret, and posts it before the attachment is removed. Returns the last one. */
function useAttachmentText(store: Store, field: RefObject<HTMLTextAreaElement | null>): RefObject<InsertedText | null> {
  const last = useRef<InsertedText | null>(null);
  const returned = store.attachmentText.value;
  useLayoutEffect(() => {
    const { current } = field;
    if (returned === null || current === null) return;
    store.attachmentText.value = null;
    const { attachmentId, text } = returned;
    if (!store.attachments.peek().some((attachment) => attachment.attachmentId === attachmentId)) return;
    current.focus();
    const [before, caret] = [current.value, current.selectionStart];
    current.setRangeText(text, caret, current.selectionEnd, "end");
    store.typed(current.value);
    last.current = { text, before, after: current.value, caret };
    store.postDraft();
    store.post({ kind: "detach", attachmentId });
    store.announce(words.spokenAsText);
  }, [returned]);
  return last;
}
