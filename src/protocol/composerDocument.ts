/**
 * The composer of a conversation: one document, which the host owns and every webview shows. A webview posts its
 * changes and shows them at once, on top of the last document received; the host applies them in order of arrival, with
 * the same functions. Invariants: text leaves the composer only when the host has taken it, and text that the host
 * inserts or removes never overwrites what was typed before that was known: {@link rebased} merges both.
 */

import type { AttachmentView } from "./attachmentView.ts";
import type { ComposerChange, EditChange } from "./toHost.ts";

export interface ComposerDocument {
  /** Grows with each change. */
  readonly revision: number;
  /** Includes the messages in `sending`, until they are taken. */
  readonly text: string;
  /** Messages that the host has received and neither taken nor refused, oldest first. */
  readonly sending: readonly SentMessage[];
  /** Recent changes of the text by the host, oldest first. */
  readonly operations: readonly TextOperation[];
  /** Messages and summaries being edited, in no particular order. */
  readonly edits: readonly EditView[];
  readonly queue: QueueView;
  readonly attachments: readonly AttachmentView[];
}

/** `sendId` is chosen by the webview, so that a message is never sent twice. */
export interface SentMessage {
  readonly sendId: string;
  readonly text: string;
}

/** `taken`: a prefix of the text was sent; `added`: it was appended. `revision`: that of the document with it. */
export interface TextOperation {
  readonly kind: "taken" | "added";
  readonly text: string;
  readonly revision: number;
}

/** A sent message, or a summary. */
export type EditTarget = { readonly messageId: number } | { readonly summaryId: number };

export type EditView = EditTarget & {
  readonly text: string;
  /** Grows with each change, also from one edit of a message to the next: the higher revision is the later text. */
  readonly revision: number;
  /** Present while it is being sent. */
  readonly sendId?: string;
};

/** Messages typed while the conversation was busy, in sending order. */
export interface QueueView {
  readonly items: readonly QueuedView[];
  /** Not sent automatically: the last turn did not complete, or the window was opened since. */
  readonly isHeld: boolean;
}

export interface QueuedView {
  readonly queueId: string;
  readonly text: string;
}

/** For when no conversation is open. */
export const emptyDocument: ComposerDocument = {
  revision: 0,
  text: "",
  sending: [],
  operations: [],
  edits: [],
  queue: { items: [], isHeld: false },
  attachments: [],
};

export type ComposedText = Pick<ComposerDocument, "text" | "sending" | "operations">;

/** Idempotent for the same change. */
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

/** Applies to a text typed on revision `base` what the host did to the document's text since then. */
export function rebased(text: string, base: number, operations: readonly TextOperation[]): string {
  return operations
    .filter(({ revision }) => revision > base)
    .reduce((rest, { kind, text: part }) => (kind === "taken" ? withoutSent(rest, part) : withAdded(rest, part)), text);
}

/** The text without the sent message: what was typed after it, or in its place. */
export function withoutSent(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
}

/** Appends `added` after an empty line. */
export function withAdded(text: string, added: string): string {
  const before = text.trimEnd();
  return before === "" ? added : `${before}\n\n${added}`;
}

/** Merges `text` with `along`, which was typed without knowledge of `text`. */
export function mergedText(text: string, along: string): string {
  if (along.startsWith(text)) return along;
  return text.startsWith(along) ? text : `${text}\n${along}`;
}

export function editAt(edits: readonly EditView[], place: EditTarget): EditView | undefined {
  return edits.find((edit) => isSameTarget(edit, place));
}

export function isSameTarget(one: EditTarget, other: EditTarget): boolean {
  return "messageId" in one
    ? "messageId" in other && one.messageId === other.messageId
    : "summaryId" in other && one.summaryId === other.summaryId;
}

/** `sendId` undefined: the edit is no longer being sent. */
export function withEditSent(
  edits: readonly EditView[],
  place: EditTarget,
  sendId: string | undefined,
): readonly EditView[] {
  return edits.map((edit) => {
    if (!isSameTarget(edit, place)) return edit;
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
