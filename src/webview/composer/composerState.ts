/**
 * The composer as this page shows it: the document that the host told last, and on top of it what was done here and is not in
 * that yet. Pure. Invariant: what is typed is shown, and stays until the host has it, whatever it tells meanwhile; what a
 * conversation that is closed did not get comes into the one that is opened next.
 */
import {
  type ComposerChange,
  type ComposerDocument,
  type EditPlace,
  type EditView,
  editAt,
  emptyDocument,
  isSamePlace,
  withChange,
} from "../../protocol/composerDocument.ts";
import type { ClosedComposer } from "../../protocol/toView.ts";

/** What is in the composer, and how that came about. */
export interface ComposerState {
  /** Of which conversation it is; empty while none is open. */
  readonly conversationId: string;
  /** What the host told last. */
  readonly confirmed: ComposerDocument;
  /** What was done here and is not in that, by number; of a conversation that is not open, edits alone. */
  readonly unconfirmed: readonly OwnChange[];
  /** The number of the last change that was posted. */
  readonly posted: number;
  /** The number of the last change. */
  readonly last: number;
  /** The revision of the last edit that was typed here. */
  readonly editRevision: number;
  /** What is shown: all of the above together. */
  readonly document: ComposerDocument;
}

/** One of this page's changes. */
export interface OwnChange {
  readonly number: number;
  readonly conversationId: string;
  readonly change: ComposerChange;
}

/** A text, or edits, that an earlier life of this page left, for when its conversation is opened. */
export interface LeftComposer {
  /** Takes the place of the host's text; null: that stays. */
  readonly text: string | null;
  readonly edits: readonly EditView[];
}

/** Before anything was heard of the host. */
export const emptyComposer: ComposerState = {
  conversationId: "",
  confirmed: emptyDocument,
  unconfirmed: [],
  posted: 0,
  last: 0,
  editRevision: 0,
  document: emptyDocument,
};

/** The user changed the text. */
export function typed(state: ComposerState, text: string): ComposerState {
  return changed(state, { kind: "text", base: state.confirmed.revision, text });
}

/** The text is sent as a message. */
export function sent(state: ComposerState, sendId: string): ComposerState {
  const { text } = state.document;
  return changed(state, { kind: "send", base: state.confirmed.revision, sendId, text });
}

/** The user reworded a message or a summary, or with null gave that up; `nowMs` orders it among the edits of other pages. */
export function edited(state: ComposerState, place: EditPlace, text: string | null, nowMs: number): ComposerState {
  const before = editAt(state.document.edits, place)?.revision ?? 0;
  const revision = Math.max(nowMs, before + 1, state.editRevision + 1);
  return changed({ ...state, editRevision: revision }, { kind: "edit", edit: { ...place, text, revision } });
}

/** The new wording of a message is sent. */
export function editSent(state: ComposerState, messageId: number, text: string, sendId: string): ComposerState {
  return changed(state, { kind: "sendEdit", sendId, messageId, text });
}

/** The changes up to `number` were posted. */
export function posted(state: ComposerState, number: number): ComposerState {
  return { ...state, posted: number };
}

/** What is to be posted, oldest first. */
export function unposted(state: ComposerState): readonly OwnChange[] {
  return state.conversationId === "" ? [] : ofIt(state).filter(({ number }) => number > state.posted);
}

/** The host told what has changed; it has this page's changes up to number `contains`. */
export function heard(
  state: ComposerState,
  fields: Partial<ComposerDocument> & Pick<ComposerDocument, "revision">,
  contains: number,
): ComposerState {
  if (fields.revision < state.confirmed.revision) return state;
  const unconfirmed = withoutContained(state, contains);
  return shown({ ...state, confirmed: { ...state.confirmed, ...fields }, unconfirmed });
}

/** All that the host told of a conversation. */
interface HeardComposer {
  readonly conversationId: string;
  readonly document: ComposerDocument;
  readonly contains: number;
  /** Of conversations that were shown before, the last at the end. */
  readonly closed: readonly ClosedComposer[];
  /** Of an earlier life of this page. */
  readonly left: LeftComposer;
}

/** The host told everything; changes that it does not have are posted once more, and count once. */
export function heardAll(state: ComposerState, heard: HeardComposer): ComposerState {
  const { conversationId, document, contains, closed } = heard;
  const before = { ...state, unconfirmed: withoutContained(state, contains) };
  const next = { ...before, conversationId, confirmed: document };
  if (conversationId === state.conversationId) return shown({ ...next, posted: Math.min(state.posted, contains) });
  return opened(next, heard, broughtAlong(before, closed));
}

/** What of the text the conversation that was shown has not got: it belongs to the next. */
function broughtAlong(state: ComposerState, closed: readonly ClosedComposer[]): string {
  const changes = ofIt(state).filter(({ change }) => change.kind === "text" || change.kind === "send");
  if (!changes.some(({ change }) => change.kind === "text")) return ""; // what was to be sent is in the draft there
  const known = closed.findLast(({ conversationId }) => conversationId === state.conversationId);
  const operations = known?.operations ?? state.confirmed.operations;
  const base = { ...state.confirmed, operations };
  return changes.reduce((document, { change }) => withChange(document, change), base).text;
}

/** Another conversation is shown, whose text comes before what is brought along. */
function opened(state: ComposerState, { document, left, closed }: HeardComposer, along: string): ComposerState {
  const edits = state.unconfirmed.filter(({ change }) => change.kind === "edit");
  const others = edits.filter((own) => own.conversationId !== state.conversationId);
  let next: ComposerState = { ...state, unconfirmed: others, posted: state.last };
  // Those that this conversation did not get when it was shown before are told once more.
  for (const { change } of edits.filter((own) => !others.includes(own))) next = changed(next, change);
  for (const edit of left.edits) {
    const inHost = editAt(document.edits, edit);
    if (inHost !== undefined && inHost.revision < edit.revision) next = changed(next, { kind: "edit", edit });
  }
  const before = left.text ?? document.text;
  const isOfIt = closed.at(-1)?.conversationId === state.conversationId && along.startsWith(before); // it was closed for a moment
  const text = isOfIt ? along : [before, along].filter((part) => part !== "").join("\n");
  return text === document.text ? shown(next) : typed(next, text);
}

function changed(state: ComposerState, change: ComposerChange): ComposerState {
  const { conversationId } = state;
  const number = state.last + 1;
  const others = state.unconfirmed.filter(
    (own) => own.conversationId !== conversationId || !replaces(change, own.change),
  );
  return shown({ ...state, last: number, unconfirmed: [...others, { number, conversationId, change }] });
}

/** Whether nothing is seen any more of what was done `before`. */
function replaces(change: ComposerChange, before: ComposerChange): boolean {
  if (change.kind === "edit") return before.kind === "edit" && isSamePlace(change.edit, before.edit);
  return change.kind === "text" && before.kind === "text";
}

function withoutContained({ unconfirmed, conversationId }: ComposerState, contains: number): readonly OwnChange[] {
  return unconfirmed.filter((own) => own.conversationId !== conversationId || own.number > contains);
}

function ofIt({ unconfirmed, conversationId }: ComposerState): readonly OwnChange[] {
  return unconfirmed.filter((own) => own.conversationId === conversationId);
}

function shown(state: ComposerState): ComposerState {
  return {
    ...state,
    document: ofIt(state).reduce((document, { change }) => withChange(document, change), state.confirmed),
  };
}
