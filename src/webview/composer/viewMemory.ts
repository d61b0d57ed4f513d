/**
 * State that the view saves for its next instance: only text that the host may not have stored yet; all else is in the
 * host's snapshot. The editor persists it when it likes, so after a crash it may be old: it counts only while the host
 * has nothing newer.
 */
import { type EditTarget, type EditView, type QueueView, withoutSent } from "../../protocol/composerDocument.ts";
import type { Row, ViewState } from "../../protocol/toView.ts";
import type { ComposerState, SavedComposer } from "./composerState.ts";

/** Composer text at the last key press, and the state of the conversation then. */
export interface ViewMemory {
  readonly conversationId: string;
  /** Null if the host lacks nothing. */
  readonly typedText: string | null;
  /** Typed since, while no conversation was open; belongs to the next one. */
  readonly earlyText: string;
  /** Files being read; if the view ends meanwhile, they are not attached. */
  readonly files: readonly string[];
  /** The host's draft and those posted since, which it may not have stored when it ended. */
  readonly hostDrafts: readonly string[];
  /** Ids of the user's newest message and of the newest queued one; empty before the first. */
  readonly newestQuestion: string;
  /** Unsent edits of messages and summaries, in any conversation. */
  readonly edits: readonly EditMemory[];
}

type EditMemory = EditTarget & Pick<EditView, "text" | "revision"> & { readonly conversationId: string };

/** Nothing saved. */
export const emptyMemory: ViewMemory = {
  conversationId: "",
  typedText: null,
  earlyText: "",
  files: [],
  hostDrafts: [],
  newestQuestion: "",
  edits: [],
};
/** Edits longer in total, in UTF-16 units, are not saved, since that happens at each key press. */
const maxEditsLength = 50_000;

interface MemorySource {
  readonly rows: readonly Row[];
  readonly composer: ComposerState;
  readonly unrestored: ViewMemory;
}

/** Memory to save: `typedText`, and what it belongs to. */
export function viewMemory(
  typedText: string | null,
  hostDrafts: readonly string[],
  { rows, composer, unrestored }: MemorySource,
): ViewMemory {
  const { conversationId, document, unconfirmed } = composer;
  const others = unconfirmed.flatMap((own): EditMemory[] => {
    if (own.change.kind !== "edit" || own.conversationId === conversationId) return [];
    const { text, ...edit } = own.change.edit;
    return text === null ? [] : [{ ...edit, text, conversationId: own.conversationId }];
  });
  const edits = [...unrestored.edits, ...others, ...document.edits.map((edit) => ({ ...edit, conversationId }))];
  const isSmall = edits.reduce((sum, { text }) => sum + text.length, 0) <= maxEditsLength;
  const place = { conversationId, newestQuestion: newestQuestion(rows, document) };
  return { ...place, typedText, earlyText: "", files: [], hostDrafts, edits: isSmall ? edits : [] };
}

/** What an earlier instance saved for the opened conversation, as far as the host may lack it. */
export function savedComposerFor(
  memory: ViewMemory,
  { conversationId, rows, composer }: Pick<ViewState, "conversationId" | "rows" | "composer">,
): SavedComposer {
  const sent = messagesSince(memory.newestQuestion, rows, composer.queue);
  const rest = (text: string): string => sent.reduce(withoutSent, text);
  const isThere = memory.conversationId === conversationId && memory.hostDrafts.map(rest).includes(composer.text);
  const edits = memory.edits.flatMap(({ conversationId: of, ...edit }) => (of === conversationId ? [edit] : []));
  return { text: isThere && memory.typedText !== null ? textTypedAfter(memory.typedText, sent) : null, edits };
}

/** Text typed after the messages sent since; null if it is older than they are. */
function textTypedAfter(typedText: string, sent: readonly string[]): string | null {
  let rest = typedText;
  for (const text of sent) {
    if (text.length >= rest.length || !rest.startsWith(text)) return null;
    rest = withoutSent(rest, text);
  }
  return rest;
}

/** The user's messages, sent or queued, after the newest one known then. */
function messagesSince(newest: string, rows: readonly Row[], { items }: QueueView): readonly string[] {
  const known = newest.split(" ");
  const sent = rows.flatMap((row) =>
    row.kind === "message" && row.role === "user" ? [{ ...row, id: row.rowId }] : [],
  );
  const waiting = items.map(({ queueId: id, text }) => ({ id, text }));
  return [sent, waiting].flatMap((list) => {
    const last = list.findLastIndex(({ id }) => known.includes(id));
    return list.slice(last + 1).map(({ text }) => text);
  });
}

/** Memory that remains once this conversation was opened. */
export function withoutConversation(memory: ViewMemory, conversationId: string): ViewMemory {
  const typedText = memory.conversationId === conversationId ? null : memory.typedText;
  return { ...memory, typedText, edits: memory.edits.filter((edit) => edit.conversationId !== conversationId) };
}

/** Parses what an earlier instance saved; anything malformed counts as nothing. */
export function readViewMemory(stored: unknown): ViewMemory {
  const texts = ["conversationId", "typedText", "newestQuestion", "earlyText"].map((name) => {
    const value = fieldOf(stored, name);
    return typeof value === "string" ? value : undefined;
  });
  const [conversationId, typedText, newestQuestion, earlyText = ""] = texts;
  const [drafts, list] = [fieldOf(stored, "hostDrafts"), fieldOf(stored, "edits")];
  const files = [fieldOf(stored, "files")].filter(isListOfTexts).flat();
  const edits = Array.isArray(list) ? list.filter(isEdit) : [];
  return conversationId === undefined || newestQuestion === undefined || !isListOfTexts(drafts)
    ? emptyMemory
    : { conversationId, typedText: typedText ?? null, earlyText, files, hostDrafts: drafts, newestQuestion, edits };
}

/** A row received before the composer's confirmation does not count: its text is still in the composer. */
function newestQuestion(rows: readonly Row[], { queue, sending }: ComposerState["document"]): string {
  const isSent = (row: Row): boolean =>
    row.kind === "message" && row.role === "user" && sending.every(({ text }) => text !== row.text);
  const sent = rows.findLast(isSent)?.rowId ?? "";
  return [sent, queue.items.at(-1)?.queueId ?? ""].join(" ").trim();
}

function fieldOf(stored: unknown, name: string): unknown {
  return typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : undefined;
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isEdit(value: unknown): value is EditMemory {
  const [conversationId, text] = [fieldOf(value, "conversationId"), fieldOf(value, "text")];
  const hasPlace = ["messageId", "summaryId"].some((name) => Number.isSafeInteger(fieldOf(value, name)));
  const isText = typeof conversationId === "string" && typeof text === "string";
  return isText && hasPlace && Number.isSafeInteger(fieldOf(value, "revision"));
}
