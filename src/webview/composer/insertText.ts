import { LONG_PASTE_LENGTH } from "../../protocol/attachmentView.ts";
import type { Store } from "../state/store.ts";

/**
 * To remember a text, the browser puts it in line by line, and lays out all lines anew for each: so many within a tenth of a
 * second. Each that is put in costs as much as some of them besides.
 */
const MOST_LINES_LAID = 20_000;
const LINES_A_STEP = 200;

/**
 * Puts `text` into the composer's field, with the caret before its character number `caret`. At once, and not when the page is
 * drawn again: what is typed until then comes where the caret is. Undo takes it back, as what is typed, unless the page would
 * stand still to remember it. Where nothing can be typed, nothing is put.
 */
export function putText(store: Store, field: HTMLTextAreaElement, text: string, caret = text.length): void {
  if (field.readOnly) return;
  const { value } = field;
  let [start, end, oldEnd] = [0, text.length, value.length];
  while (start < Math.min(end, oldEnd) && text[start] === value[start]) start++;
  while (Math.min(end, oldEnd) > start && text[end - 1] === value[oldEnd - 1]) [end, oldEnd] = [end - 1, oldEnd - 1];
  field.focus();
  const changed = text.slice(start, end) + value.slice(start, oldEnd);
  if (changed.length < LONG_PASTE_LENGTH && breaksIn(changed) * (LINES_A_STEP + breaksIn(text)) < MOST_LINES_LAID) {
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
  const lines = quoted.trim().replace(/\r\n?/g, "\n").replace(/^/gm, "> ");
  putText(store, field, `${value === "" ? "" : `${value.trimEnd()}\n\n`}${lines}\n\n`);
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}
