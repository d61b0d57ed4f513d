/**
 * The composer of a conversation: one document, which the host owns and every page shows. A page sends its changes and shows
 * them at once, on top of what it heard last; the host applies them in the order of their arrival, by the same functions.
 * Invariants: text leaves the composer only when the host has taken it, and no text that the host inserts or takes out
 * overwrites what was typed before that was known: {@link rebased} brings both together.
 */

import type { AttachmentView } from "./attachmentView.ts";

/** All that is in the composer of one conversation. */
export interface ComposerDocument {
  /** Grows with each change. */
  readonly revision: number;
  /** With the messages that are being sent: their text leaves it when they are taken. */
  readonly text: string;
  /** Messages that the host has received and neither taken nor refused, oldest first. */
  readonly sending: readonly SentMessage[];
  /** What the host did to the text last, oldest first. */
  readonly operations: readonly TextOperation[];
  /** Messages and summaries that the reader is rewording, in no order. */
  readonly edits: readonly EditView[];
  readonly queue: QueueView;
  /** What is added to the message that is being typed. */
  readonly attachments: readonly AttachmentView[];
}

/** A message on its way. `sendId` is the page's own, so that it is never sent twice. */
export interface SentMessage {
  readonly sendId: string;
  readonly text: string;
}

/** `taken`: the text at the beginning was sent; `added`: it was put at the end. `revision` is that of the document with it. */
export interface TextOperation {
  readonly kind: "taken" | "added";
  readonly text: string;
  readonly revision: number;
}

/** A message that was sent, or a summary. */
export type EditPlace = { readonly messageId: number } | { readonly summaryId: number };

/** What it is to say instead. */
export type EditView = EditPlace & {
  readonly text: string;
  /** Grows with each change, and from one edit of a message to the next: of two wordings the one with more is the later. */
  readonly revision: number;
  /** Present while it is being sent. */
  readonly sendId?: string;
};

/** Messages that were typed while the conversation was busy, in the order in which they are sent. */
export interface QueueView {
  readonly items: readonly QueuedView[];
  /** They are not sent by themselves: the last turn did not end well, or the window was opened since. */
  readonly isHeld: boolean;
}

/** A message that waits. */
export interface QueuedView {
  readonly queueId: string;
  readonly text: string;
}

/** What a page does to the document. `base` is the revision on which the text was typed. */
export type ComposerChange =
  /** The text is this now. */
  | { readonly kind: "text"; readonly base: number; readonly text: string }
  /** The message is sent. */
  | ({ readonly kind: "send"; readonly base: number } & SentMessage)
  /** A message or a summary is reworded; null: it stays as it is. */
  | { readonly kind: "edit"; readonly edit: EditChange }
  /** The message is sent once more in other words, as another way on; what came after it is hidden and kept. */
  | { readonly kind: "sendEdit"; readonly sendId: string; readonly messageId: number; readonly text: string };

/** A rewording as a page says it. */
export type EditChange = EditPlace & { readonly text: string | null; readonly revision: number };

/** The composer where no conversation is open. */
export const emptyDocument: ComposerDocument = {
  revision: 0,
  text: "",
  sending: [],
  operations: [],
  edits: [],
  queue: { items: [], isHeld: false },
  attachments: [],
};

/** The fields that changes of the text concern. */
export type ComposedText = Pick<ComposerDocument, "text" | "sending" | "operations">;

/** Returns the document after a change. The same change once more changes nothing. */
export function withChange(document: ComposerDocument, change: ComposerChange): ComposerDocument {
  switch (change.kind) {
    case "text":
    case "send":
      return { ...document, ...withTextChange(document, change) };
    case "edit":
      return { ...document, edits: withEdit(document.edits, change.edit) };
    case "sendEdit":
      return { ...document, edits: withEditSent(document.edits, change, change.sendId) };
  }
}

/** Returns the text, and what of it is being sent, after a change of it. */
export function withTextChange(
  composed: ComposedText,
  change: Extract<ComposerChange, { kind: "text" | "send" }>,
): ComposedText {
  const text = rebased(change.text, change.base, composed.operations);
  if (change.kind === "text") return { ...composed, text };
  const { sendId } = change;
  if (composed.sending.some((message) => message.sendId === sendId)) return composed;
  return {
    ...composed,
    text: composed.text.startsWith(text) ? composed.text : text,
    sending: [...composed.sending, { sendId, text }],
  };
}

/** Applies to a text that was typed on revision `base` what the host did to the text of the document since then. */
export function rebased(text: string, base: number, operations: readonly TextOperation[]): string {
  return operations
    .filter(({ revision }) => revision > base)
    .reduce((rest, { kind, text: part }) => (kind === "taken" ? withoutSent(rest, part) : withAdded(rest, part)), text);
}

/** What stays when the message `sent` is taken: what was typed after it, or in its place. */
export function withoutSent(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
}

/** The text with `added` at its end, after an empty line. */
export function withAdded(text: string, added: string): string {
  const before = text.trimEnd();
  return before === "" ? added : `${before}\n\n${added}`;
}

/** The text with what was typed before it was known. */
export function withTextAlong(text: string, along: string): string {
  if (along.startsWith(text)) return along;
  return text.startsWith(along) ? text : `${text}\n${along}`;
}

/** The edit of this message or summary. */
export function editAt(edits: readonly EditView[], place: EditPlace): EditView | undefined {
  return edits.find((edit) => isSamePlace(edit, place));
}

/** Whether both are the same message, or the same summary. */
export function isSamePlace(one: EditPlace, other: EditPlace): boolean {
  return "messageId" in one
    ? "messageId" in other && one.messageId === other.messageId
    : "summaryId" in other && one.summaryId === other.summaryId;
}

/** Marks an edit as being sent, or with `undefined` as not being sent. */
export function withEditSent(
  edits: readonly EditView[],
  place: EditPlace,
  sendId: string | undefined,
): readonly EditView[] {
  return edits.map((edit) => {
    if (!isSamePlace(edit, place)) return edit;
    const { sendId: before, ...rest } = edit;
    return sendId === before ? edit : sendId === undefined ? rest : { ...rest, sendId };
  });
}

function withEdit(edits: readonly EditView[], change: EditChange): readonly EditView[] {
  const before = editAt(edits, change);
  if (before !== undefined && before.revision >= change.revision) return edits;
  const others = edits.filter((edit) => edit !== before);
  const { text, ...place } = change;
  return text === null ? others : [...others, { ...place, text }];
}
