import { LONG_PASTE_LENGTH } from "../../protocol/attachmentView.ts";
import type { Store } from "../state/store.ts";

/**
 * To record text for undo, the browser inserts it line by line, and lays out all lines again for each: this many
 * layouts take a tenth of a second. Each inserted line costs as much as some more of them.
 */
const MAX_LINE_LAYOUTS = 20_000;
const LAYOUTS_PER_LINE = 200;

/**
 * Sets the field's text, with the caret at offset `caret`. Done at once, not with the next render, so that keys typed
 * until then land at the caret. Undo reverts it like typing, unless recording it would freeze the page. A read-only
 * field is left alone.
 */
export function replaceText(store: Store, field: HTMLTextAreaElement, text: string, caret = text.length): void {
  if (field.readOnly) return;
  const { value } = field;
  let [start, end, oldEnd] = [0, text.length, value.length];
  while (start < Math.min(end, oldEnd) && text[start] === value[start]) start++;
  while (Math.min(end, oldEnd) > start && text[end - 1] === value[oldEnd - 1]) [end, oldEnd] = [end - 1, oldEnd - 1];
  field.focus();
  const changed = text.slice(start, end) + value.slice(start, oldEnd);
  if (
    changed.length < LONG_PASTE_LENGTH &&
    lineBreakCount(changed) * (LAYOUTS_PER_LINE + lineBreakCount(text)) < MAX_LINE_LAYOUTS
  ) {
    field.setSelectionRange(start, oldEnd);
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else can be undone
    document.execCommand("insertText", false, text.slice(start, end));
  }
  field.value = text;
  field.setSelectionRange(caret, caret);
  store.typed(text);
}

/** Appends `quoted` to the composer as a quotation, and focuses the end. */
export function appendQuotation(store: Store, quoted: string): void {
  const field = document.querySelector<HTMLTextAreaElement>(".composer textarea");
  if (field === null) return;
  const { value } = field;
  const lines = quoted.trim().replace(/\r\n?/g, "\n").replace(/^/gm, "> ");
  replaceText(store, field, `${value === "" ? "" : `${value.trimEnd()}\n\n`}${lines}\n\n`);
}

function lineBreakCount(text: string): number {
  return text.split("\n").length - 1;
}
