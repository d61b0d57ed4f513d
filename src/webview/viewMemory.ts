/**
 * What the view leaves for itself when the editor destroys it: only text that the host may not have seen yet.
 * Everything else comes back in the host's snapshot.
 */

/** The composer's text at the last key press, and the conversation that it belongs to. */
export interface ViewMemory {
  readonly conversationId: string;
  /** Null when the host has all of it. */
  readonly unpostedText: string | null;
}

/** Reads what an earlier life of this view left; anything else than that is taken for nothing. */
export function readViewMemory(stored: unknown): ViewMemory {
  if (typeof stored === "object" && stored !== null && "conversationId" in stored && "unpostedText" in stored) {
    const { conversationId, unpostedText } = stored;
    if (typeof conversationId === "string" && typeof unpostedText === "string") return { conversationId, unpostedText };
  }
  return { conversationId: "", unpostedText: null };
}
