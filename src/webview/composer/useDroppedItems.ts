/** Everything but text that is dropped on the composer or pasted: files, images, entries of the editor's lists. */

import { useState } from "preact/hooks";
import { attachItems, hasItems } from "./droppedItems.ts";
import type { Store } from "../state/store.ts";
import type { PastedText } from "./usePastedText.ts";

export interface DroppedItems {
  /** Something that can be attached is dragged over the composer. */
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Attaches what is dropped or pasted; text is left to `pasted`, or else to the field. */
export function useDroppedItems(store: Store, pasted: Pick<PastedText, "add">): DroppedItems {
  const [isOver, setOver] = useState(false);
  const add = (event: Event, data: DataTransfer | null): void => {
    setOver(false);
    if (!hasItems(data)) {
      if (pasted.add(data)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const { conversationId } = store.state.peek();
    const adding = attachItems(
      data,
      (message) => store.post(message),
      (why) => store.showRefusal(why, true),
      // Items added before any conversation is open go into the one opened next.
      () => conversationId === "" || store.state.peek().conversationId === conversationId,
      (names) => store.saveReadingFiles(names),
    );
    store.addPendingRead(adding);
    adding.catch(reportError);
  };
  return {
    isOver,
    onDragOver: (event) => {
      if (!hasItems(event.dataTransfer)) return;
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
