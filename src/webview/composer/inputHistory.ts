/** Recalls sent messages with the arrow keys, like a shell. */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Row } from "../../protocol/toView.ts";
import type { Store } from "../state/store.ts";
import { replaceText } from "./insertText.ts";

/** Returns whether the key was handled. An edited text is never replaced. */
export function useInputHistory(
  store: Store,
  field: RefObject<HTMLTextAreaElement | null>,
): (event: KeyboardEvent) => boolean {
  /** Steps back, and the text recalled there; 0 steps: nothing is recalled. */
  const place = useRef({ back: 0, text: "" });
  return (event) => {
    const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const { current } = field;
    if (step === 0 || hasModifier || current === null || current.readOnly) return false;
    const text = current.value;
    if (current.selectionEnd !== text.length) return false; // before the end of the text, the keys move the caret
    const back = text === "" ? 0 : text === place.current.text ? place.current.back : -1;
    if (back < 0 || back + step < 0) return false;
    const sent = sentTexts(store.state.peek().rows);
    const next = back + step;
    const shown = next === 0 ? "" : sent[next - 1];
    if (shown === undefined) return false;
    place.current = { back: next, text: shown };
    replaceText(store, current, shown);
    return true;
  };
}

/** The user's messages in this conversation, newest first, without duplicates. */
function sentTexts(rows: readonly Row[]): readonly string[] {
  const texts = rows.flatMap((row) => (row.kind === "message" && row.role === "user" ? [row.text] : []));
  return [...new Set(texts.reverse())].filter((text) => text !== "");
}
