/**
 * Composer as this page shows it: the document last received from the host, with this page's unconfirmed changes on
 * top. Pure. Invariants: what is typed is shown until the host has it, whatever the host sends meanwhile; text that a
 * closed conversation did not receive moves to the one opened next.
 */
import type { ComposerChange } from "../../protocol/toHost.ts";
import {
  type ComposerDocument,
  type EditTarget,
  type EditView,
  editAt,
  emptyDocument,
  isSameTarget,
  withChange,
} from "../../protocol/composerDocument.ts";
import type { ClosedComposer } from "../../protocol/toView.ts";

export interface ComposerState {
  /** Empty while no conversation is open. */
  readonly conversationId: string;
  /** Last document received from the host. */
  readonly confirmed: ComposerDocument;
  /** Own changes that `confirmed` does not contain, by number; of conversations that are not open, edits only. */
  readonly unconfirmed: readonly OwnChange[];
  /** Number of the last posted change. */
  readonly posted: number;
  /** Number of the last change. */
  readonly lastNumber: number;
  /** Revision of the last edit made here. */
  readonly editRevision: number;
  /** What is shown: `confirmed` with the own changes applied. */
  readonly document: ComposerDocument;
}

export interface OwnChange {
  readonly number: number;
  readonly conversationId: string;
  readonly change: ComposerChange;
}

/** Text and edits saved by an earlier instance of this page, for when their conversation opens. */
export interface SavedComposer {
  /** Replaces the host's text; null keeps it. */
  readonly text: string | null;
  readonly edits: readonly EditView[];
}

/** Before anything is received from the host. */
export const emptyComposer: ComposerState = {
  conversationId: "",
  confirmed: emptyDocument,
  unconfirmed: [],
  posted: 0,
  lastNumber: 0,
  editRevision: 0,
  document: emptyDocument,
};

export function withText(state: ComposerState, text: string): ComposerState {
  return withOwnChange(state, { kind: "text", base: state.confirmed.revision, text });
}

export function withSend(state: ComposerState, sendId: string): ComposerState {
  const { text } = state.document;
  return withOwnChange(state, { kind: "send", base: state.confirmed.revision, sendId, text });
}

/** Edit of a message or a summary; null discards it. `nowMs` orders it among the edits of other pages. */
export function withEdit(state: ComposerState, place: EditTarget, text: string | null, nowMs: number): ComposerState {
  const before = editAt(state.document.edits, place)?.revision ?? 0;
  const revision = Math.max(nowMs, before + 1, state.editRevision + 1);
  return withOwnChange({ ...state, editRevision: revision }, { kind: "edit", edit: { ...place, text, revision } });
}

export function withEditSend(state: ComposerState, messageId: number, text: string, sendId: string): ComposerState {
  return withOwnChange(state, { kind: "sendEdit", sendId, messageId, text });
}

/** Marks the changes up to `number` as posted. */
export function posted(state: ComposerState, number: number): ComposerState {
  return { ...state, posted: number };
}

/** Oldest first. */
export function unposted(state: ComposerState): readonly OwnChange[] {
  return state.conversationId === "" ? [] : ownChangesOf(state).filter(({ number }) => number > state.posted);
}

/** Applies fields received from the host, which contain this page's changes up to number `contains`. */
export function heard(
  state: ComposerState,
  fields: Partial<ComposerDocument> & Pick<ComposerDocument, "revision">,
  contains: number,
): ComposerState {
  if (fields.revision < state.confirmed.revision) return state;
  const unconfirmed = withoutContained(state, contains);
  return withDocument({ ...state, confirmed: { ...state.confirmed, ...fields }, unconfirmed });
}

/** Whole composer of a conversation, received from the host. */
interface ComposerSnapshot {
  readonly conversationId: string;
  readonly document: ComposerDocument;
  readonly contains: number;
  /** Conversations shown before, most recent last. */
  readonly closed: readonly ClosedComposer[];
  /** Saved by an earlier instance of this page. */
  readonly unrestored: SavedComposer;
}

/** Applies the whole composer; changes that it lacks are posted again, and count once. */
export function withSnapshot(state: ComposerState, heard: ComposerSnapshot): ComposerState {
  const { conversationId, document, contains, closed } = heard;
  const before = { ...state, unconfirmed: withoutContained(state, contains) };
  const next = { ...before, conversationId, confirmed: document };
  if (conversationId === state.conversationId)
    return withDocument({ ...next, posted: Math.min(state.posted, contains) });
  return withConversation(next, heard, unreceivedText(before, closed));
}

/** Text that the previous conversation did not receive; it moves to the next. */
function unreceivedText(state: ComposerState, closed: readonly ClosedComposer[]): string {
  const changes = ownChangesOf(state).filter(({ change }) => change.kind === "text" || change.kind === "send");
  if (!changes.some(({ change }) => change.kind === "text")) return ""; // a message being sent is in the draft there
  const known = closed.findLast(({ conversationId }) => conversationId === state.conversationId);
  const operations = known?.operations ?? state.confirmed.operations;
  const base = { ...state.confirmed, operations };
  return changes.reduce((document, { change }) => withChange(document, change), base).text;
}

/** Switches to another conversation; its own text comes before the text brought along. */
function withConversation(
  state: ComposerState,
  { document, unrestored, closed }: ComposerSnapshot,
  carriedText: string,
): ComposerState {
  const edits = state.unconfirmed.filter(({ change }) => change.kind === "edit");
  const others = edits.filter((own) => own.conversationId !== state.conversationId);
  let next: ComposerState = { ...state, unconfirmed: others, posted: state.lastNumber };
  // Edits that this conversation did not receive when it was shown before are posted again.
  for (const { change } of edits.filter((own) => !others.includes(own))) next = withOwnChange(next, change);
  for (const edit of unrestored.edits) {
    const inHost = editAt(document.edits, edit);
    if (inHost !== undefined && inHost.revision < edit.revision) next = withOwnChange(next, { kind: "edit", edit });
  }
  const before = unrestored.text ?? document.text;
  const isReopened = closed.at(-1)?.conversationId === state.conversationId && carriedText.startsWith(before); // closed only briefly
  const text = isReopened ? carriedText : [before, carriedText].filter((part) => part !== "").join("\n");
  return text === document.text ? withDocument(next) : withText(next, text);
}

function withOwnChange(state: ComposerState, change: ComposerChange): ComposerState {
  const { conversationId } = state;
  const number = state.lastNumber + 1;
  const others = state.unconfirmed.filter(
    (own) => own.conversationId !== conversationId || !replaces(change, own.change),
  );
  return withDocument({ ...state, lastNumber: number, unconfirmed: [...others, { number, conversationId, change }] });
}

/** Whether `change` makes `before` obsolete. */
function replaces(change: ComposerChange, before: ComposerChange): boolean {
  if (change.kind === "edit") return before.kind === "edit" && isSameTarget(change.edit, before.edit);
  return change.kind === "text" && before.kind === "text";
}

function withoutContained({ unconfirmed, conversationId }: ComposerState, contains: number): readonly OwnChange[] {
  return unconfirmed.filter((own) => own.conversationId !== conversationId || own.number > contains);
}

function ownChangesOf({ unconfirmed, conversationId }: ComposerState): readonly OwnChange[] {
  return unconfirmed.filter((own) => own.conversationId === conversationId);
}

function withDocument(state: ComposerState): ComposerState {
  return {
    ...state,
    document: ownChangesOf(state).reduce((document, { change }) => withChange(document, change), state.confirmed),
  };
}
