/**
 * What the view leaves for itself when the editor destroys it: only text that the host may not have stored yet.
 * Everything else comes back in the host's snapshot. The editor writes it down when it likes, so after a crash it may be
 * old: it counts only while the host has nothing newer.
 */

import type { AppState } from "./state.ts";

/** The composer's text at the last key press, and where the conversation was then. */
export interface ViewMemory {
  readonly conversationId: string;
  /** Null when there is nothing that the host may lack. */
  readonly typedText: string | null;
  /** What was typed since, while no conversation was known; it belongs to the next that is opened. */
  readonly earlyText: string;
  /** Names of files that are being read, to be added: where the view ends, they are not. */
  readonly files: readonly string[];
  /** The draft that the host had, and those told to it since, which it may not have stored when it ended. */
  readonly hostDrafts: readonly string[];
  /** The user's newest message, and the newest that waits to be sent; empty before the first. */
  readonly newestQuestion: string;
  /** Messages that were being said anew, and summaries that were being changed, by their `editKey`; `revision` as the host has it. */
  readonly edits: readonly EditMemory[];
}

interface EditMemory {
  readonly key: string;
  readonly text: string;
  readonly revision: number;
}

/** What an earlier life of the view left that left nothing. */
const NOTHING: ViewMemory = {
  conversationId: "",
  typedText: null,
  earlyText: "",
  files: [],
  hostDrafts: [],
  newestQuestion: "",
  edits: [],
};
/** Edits that are longer together, in UTF-16 units, are not written at each key press. */
const MOST_EDITED = 50_000;

/** What to leave: `typedText` and the place that it belongs to. */
export function viewMemory(typedText: string | null, hostDrafts: readonly string[], state: AppState): ViewMemory {
  const edits = [...state.messageEdits].flatMap(([key, { text, revision }]) =>
    text === null ? [] : [{ key, text, revision }],
  );
  const isSmall = edits.reduce((sum, { text }) => sum + text.length, 0) <= MOST_EDITED;
  const { conversationId } = state;
  const place = { conversationId, newestQuestion: newestQuestion(state) };
  return { ...place, typedText, earlyText: "", files: [], hostDrafts, edits: isSmall ? edits : [] };
}

/** The text that the host may lack, when `state`, as opened, is where it was typed; else null. */
export function textFor(state: AppState, memory: ViewMemory): string | null {
  const isThere =
    memory.conversationId === state.conversationId &&
    memory.hostDrafts.includes(state.composer.postedText) &&
    memory.newestQuestion === newestQuestion(state);
  return isThere ? memory.typedText : null;
}

/** Reads what an earlier life of this view left; anything else than that is taken for nothing. */
export function readViewMemory(stored: unknown): ViewMemory {
  const texts = ["conversationId", "typedText", "newestQuestion", "earlyText"].map((name) => {
    const value = fieldOf(stored, name);
    return typeof value === "string" ? value : undefined;
  });
  const [conversationId, typedText, newestQuestion, earlyText = ""] = texts;
  const [drafts, edits] = [fieldOf(stored, "hostDrafts"), fieldOf(stored, "edits") ?? []];
  const files = [fieldOf(stored, "files")].filter(isListOfTexts).flat();
  const hasEdits = Array.isArray(edits) && edits.every(isEdit);
  return conversationId === undefined || newestQuestion === undefined || !isListOfTexts(drafts) || !hasEdits
    ? NOTHING
    : { conversationId, typedText: typedText ?? null, earlyText, files, hostDrafts: drafts, newestQuestion, edits };
}

function newestQuestion({ rows, queue }: AppState): string {
  const sent = rows.findLast((row) => row.kind === "message" && row.role === "user")?.rowId ?? "";
  return [sent, queue.items.at(-1)?.queueId ?? ""].join(" ").trim();
}

function fieldOf(stored: unknown, name: string): unknown {
  return typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : undefined;
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isEdit(value: unknown): value is EditMemory {
  const [key, text] = [fieldOf(value, "key"), fieldOf(value, "text")];
  return typeof key === "string" && typeof text === "string" && Number.isSafeInteger(fieldOf(value, "revision"));
}
