/** What is dropped on the composer or pasted into it, and is no text: files, pictures, what the editor's lists hold. */

import { useState } from "preact/hooks";
import { addThings, hasThings } from "./droppedItems.ts";
import type { Store } from "../state/store.ts";
import type { PastedText } from "./usePastedText.ts";

/** What the composer listens to. */
export interface DroppedThings {
  /** Something that can be added is held over the composer. */
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Adds what is dropped or pasted; text is left to `pasted`, or else to the field. */
export function useDroppedThings(store: Store, pasted: Pick<PastedText, "add">): DroppedThings {
  const [isOver, setOver] = useState(false);
  const add = (event: Event, data: DataTransfer | null): void => {
    setOver(false);
    if (!hasThings(data)) {
      if (pasted.add(data)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const { conversationId } = store.state.peek();
    const adding = addThings(
      data,
      (message) => store.post(message),
      (why) => store.refuse(why, true),
      // What is added before any is open goes into the one that is opened.
      () => conversationId === "" || store.state.peek().conversationId === conversationId,
      (names) => store.noteReading(names),
    );
    store.sendAfter(adding);
    adding.catch(reportError);
  };
  return {
    isOver,
    onDragOver: (event) => {
      if (!hasThings(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => {
      setOver(false);
    },
    onDrop: (event) => {
      add(event, event.dataTransfer);
    },
    onPaste: (event) => {
      add(event, event.clipboardData);
    },
  };
}
