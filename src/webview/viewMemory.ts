/**
 * What the view leaves for itself when the editor destroys it: only text that the host may not have seen yet.
 * Everything else comes back in the host's snapshot. The editor writes it down when it likes, so after a crash it may be
 * old: it counts only while the host has nothing newer.
 */

import type { AppState } from "./state.ts";

/** The composer's text at the last key press, and where the conversation was then. */
export interface ViewMemory {
  readonly conversationId: string;
  /** Null when the host has all of it. */
  readonly unpostedText: string | null;
  /** The draft that the host had. */
  readonly postedText: string;
  /** The user's newest message, and the newest that waits to be sent; empty before the first. */
  readonly newestQuestion: string;
}

/** What to leave: `unpostedText` and the place that it belongs to. */
export function viewMemory(unpostedText: string | null, state: AppState): ViewMemory {
  const { conversationId, composer } = state;
  return { conversationId, unpostedText, postedText: composer.postedText, newestQuestion: newestQuestion(state) };
}

/** The text that the host has not seen, when `state`, as opened, is where it was typed; else null. */
export function textFor(state: AppState, memory: ViewMemory): string | null {
  const isThere =
    memory.conversationId === state.conversationId &&
    memory.postedText === state.composer.postedText &&
    memory.newestQuestion === newestQuestion(state);
  return isThere ? memory.unpostedText : null;
}

/** Reads what an earlier life of this view left; anything else than that is taken for nothing. */
export function readViewMemory(stored: unknown): ViewMemory {
  const [conversationId, unpostedText, postedText, newestQuestion] = [
    "conversationId",
    "unpostedText",
    "postedText",
    "newestQuestion",
  ].map((name) => textIn(stored, name));
  return conversationId === undefined ||
    unpostedText === undefined ||
    postedText === undefined ||
    newestQuestion === undefined
    ? { conversationId: "", unpostedText: null, postedText: "", newestQuestion: "" }
    : { conversationId, unpostedText, postedText, newestQuestion };
}

function newestQuestion({ rows, queue }: AppState): string {
  const sent = rows.findLast((row) => row.kind === "message" && row.role === "user")?.rowId ?? "";
  return [sent, queue.items.at(-1)?.queueId ?? ""].join(" ").trim();
}

function textIn(stored: unknown, name: string): string | undefined {
  const value: unknown = typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
