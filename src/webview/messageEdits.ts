/**
 * Messages that the reader says anew, as far as they have typed. Pure. Invariant: what was typed is there until the host has
 * taken it or the reader gives it up, whatever is drawn meanwhile and whichever conversation is shown.
 */

/** A message that is said anew. */
export interface MessageEdit {
  readonly text: string;
  /** Under which it is on its way to the host; null while it is typed. */
  readonly sendId: string | null;
}

/** All of them, by {@link editKey}. */
export type MessageEdits = ReadonlyMap<string, MessageEdit>;

/** Names a message of any conversation. */
export function editKey(conversationId: string, messageId: number | string): string {
  return `${conversationId}#${String(messageId)}`;
}

/** The reader has typed `text`; null: they gave it up. */
export function withEdit(edits: MessageEdits, key: string, text: string | null): MessageEdits {
  const next = new Map(edits);
  if (text === null) next.delete(key);
  else next.set(key, { text, sendId: null });
  return next;
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
  const [key, { text }] = sent;
  return withEdit(edits, key, isTaken ? null : text);
}

/** Whether this message of the conversation that is shown is said anew. */
export function isEdited(
  { conversationId, messageEdits }: { readonly conversationId: string; readonly messageEdits: MessageEdits },
  messageId: string,
): boolean {
  return messageEdits.size > 0 && messageEdits.has(editKey(conversationId, messageId));
}
