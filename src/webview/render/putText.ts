import { LONG_PASTE_LENGTH } from "../../protocol/attachmentView.ts";
import type { Store } from "../store.ts";

/**
 * Puts `text` into the composer's field, with the caret before its character number `caret`. At once, and not when the page is
 * drawn again: what is typed until then comes where the caret is. Undo takes it back, as what is typed.
 */
export function putText(store: Store, field: HTMLTextAreaElement, text: string, caret = text.length): void {
  const { value } = field;
  let [start, end, oldEnd] = [0, text.length, value.length];
  while (start < Math.min(end, oldEnd) && text[start] === value[start]) start++;
  while (Math.min(end, oldEnd) > start && text[end - 1] === value[oldEnd - 1]) [end, oldEnd] = [end - 1, oldEnd - 1];
  field.focus();
  // The browser would put in, and take out, a long text line by line to remember it.
  if (end + oldEnd - 2 * start < LONG_PASTE_LENGTH) {
    field.setSelectionRange(start, oldEnd);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else can be undone
    document.execCommand("insertText", false, text.slice(start, end));
  }
  field.value = text;
  field.setSelectionRange(caret, caret);
  store.typed(text);
}

/** Puts `quoted` behind what stands in the composer, as a quotation, and the keyboard focus behind it. */
export function putQuotation(store: Store, quoted: string): void {
  const field = document.querySelector<HTMLTextAreaElement>(".composer textarea");
  if (field === null) return;
  const { value } = field;
  const lines = quoted.trim().replace(/^/gm, "> ");
  putText(store, field, `${value === "" ? "" : `${value.trimEnd()}\n\n`}${lines}\n\n`);
}
