/**
 * Messages that the reader says anew, and summaries that they change, as far as they have typed. Pure. Invariants: what was typed is there until the host has
 * taken it or the reader gives it up, whatever is drawn meanwhile and whichever conversation is shown; of two wordings that
 * two pages know, the later one stays.
 */
import type { EditView } from "../protocol/messageEditView.ts";

/** A message that is said anew, or a summary that is changed. */
export interface MessageEdit {
  /** Null: no longer. It is remembered, for what the host says may be older. */
  readonly text: string | null;
  /** As the host has it. */
  readonly revision: number;
  /** Under which it is on its way to the host; null while it is typed. */
  readonly sendId: string | null;
  /** An earlier life of this page left it, and what the host says of its conversation was not heard since. */
  readonly isLeft?: true;
}

type EditPlace = { readonly messageId: number } | { readonly summaryId: number };

/** All of them, by {@link editKey}. */
export type MessageEdits = ReadonlyMap<string, MessageEdit>;

/** Names a message of any conversation, or a summary by its {@link summaryName}. */
export function editKey(conversationId: string, messageId: number | string): string {
  return `${conversationId}#${String(messageId)}`;
}

/** Names a summary among what is edited. */
export function summaryName(summaryId: number): string {
  return `summary${String(summaryId)}`;
}

/** The {@link editKey} of what the host has an edit of. */
export function keyOf(conversationId: string, edit: EditPlace): string {
  return editKey(conversationId, "messageId" in edit ? edit.messageId : summaryName(edit.summaryId));
}

/** What has this {@link editKey}. */
export function placeOf(key: string): EditPlace {
  const [, kind, id] = /#(\D*)(\d+)$/.exec(key) ?? [];
  return kind === "" ? { messageId: Number(id) } : { summaryId: Number(id) };
}

/** Whether what has an {@link editKey} is of this conversation. */
export function isOf(conversationId: string, key: string): boolean {
  return key.startsWith(editKey(conversationId, ""));
}

/** The reader has typed `text`; null: they gave it up. `nowMs` makes the revision greater than that of any edit before. */
export function withEdit(edits: MessageEdits, key: string, text: string | null, nowMs: number): MessageEdits {
  const revision = Math.max(nowMs, (edits.get(key)?.revision ?? 0) + 1);
  return new Map(edits).set(key, { text, revision, sendId: null });
}

/** It was posted. */
export function editSent(edits: MessageEdits, key: string, sendId: string): MessageEdits {
  const edit = edits.get(key);
  return edit === undefined ? edits : new Map(edits).set(key, { ...edit, sendId });
}

/** The host took what was sent so, and it is gone here; or it did not, and can be sent again. */
export function editAnswered(edits: MessageEdits, sendId: string, isTaken: boolean): MessageEdits {
  const sent = [...edits].find(([, edit]) => edit.sendId === sendId);
  if (sent === undefined) return edits;
  const [key, edit] = sent;
  return new Map(edits).set(key, { ...edit, sendId: null, ...(isTaken ? { text: null } : {}) });
}

/** Another page has typed, or given it up. What is on its way from here stays. */
export function editArrived(edits: MessageEdits, conversationId: string, arrived: EditView): MessageEdits {
  const { text, revision } = arrived;
  const key = keyOf(conversationId, arrived);
  const edit = edits.get(key);
  if (edit !== undefined && (edit.sendId !== null || edit.revision >= revision)) return edits;
  return new Map(edits).set(key, { text, revision, sendId: null });
}

/** The host says which there are in a conversation. What is left of an earlier life of this page, and not there, has ended since. */
export function editsInSnapshot(edits: MessageEdits, conversationId: string, told: readonly EditView[]): MessageEdits {
  const inHost = new Set(told.map((edit) => keyOf(conversationId, edit)));
  let next = edits;
  for (const [key, { isLeft, ...edit }] of edits) {
    if (isLeft !== true || !isOf(conversationId, key)) continue;
    const kept = new Map(next);
    if (inHost.has(key)) kept.set(key, edit);
    else kept.delete(key);
    next = kept;
  }
  for (const edit of told) next = editArrived(next, conversationId, edit);
  return next;
}

/** What this message of the conversation that is shown is to say instead, or a summary by its {@link summaryName}. */
export function editOf(
  { conversationId, messageEdits }: { readonly conversationId: string; readonly messageEdits: MessageEdits },
  name: string,
): MessageEdit | undefined {
  return messageEdits.get(editKey(conversationId, name));
}

/** Whether this message of the conversation that is shown is said anew, or a summary changed. */
export function isEdited(state: Parameters<typeof editOf>[0], name: string): boolean {
  return state.messageEdits.size > 0 && typeof editOf(state, name)?.text === "string";
}
