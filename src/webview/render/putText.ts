import type { Store } from "../store.ts";

/**
 * Puts `text` into the composer's field, with the caret before its character number `caret`. At once, and not when the page is
 * drawn again: what is typed until then comes where the caret is.
 */
export function putText(store: Store, field: HTMLTextAreaElement, text: string, caret = text.length): void {
  field.value = text;
  field.setSelectionRange(caret, caret);
  store.typed(text);
}
