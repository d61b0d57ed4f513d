/**
 * What is in the composer, and what became of it. The host keeps the draft; this keeps what was typed since.
 * Invariants: text leaves the composer only when the host has taken it, and nothing of the host overwrites text that
 * the user typed and the host has not seen. What both say is numbered: they may cross on their way.
 */

import { restOfDraft, type SentMessage } from "../protocol/sendAnswer.ts";

/** The composer's content. */
export interface ComposerState {
  readonly text: string;
  /** What the host was told last, or told us; when it differs from `text`, a `draft` is due. */
  readonly postedText: string;
  /** The message on its way to the host; null when there is none. */
  readonly pending: SentMessage | null;
  /** How many drafts and messages were posted. */
  readonly said: number;
  /** How many of them the host had when it said what came last. Those of a conversation that is closed it never has. */
  readonly heard: number;
  /** How many of them were posted before the conversation was opened: none of those concerns it. */
  readonly saidBefore: number;
}

/** An empty composer. */
export const emptyComposer: ComposerState = {
  text: "",
  postedText: "",
  pending: null,
  said: 0,
  heard: 0,
  saidBefore: 0,
};

/** The user changed the text. */
export function typed(composer: ComposerState, text: string): ComposerState {
  return { ...composer, text };
}

/** The text was posted as a draft. */
export function draftPosted(composer: ComposerState): ComposerState {
  return { ...composer, postedText: composer.text, said: composer.said + 1 };
}

/** The text was posted as a message: it is the draft until that is taken. */
export function sendStarted(composer: ComposerState, sendId: string): ComposerState {
  return { ...draftPosted(composer), pending: { sendId, text: composer.text } };
}

/** What the host says next, it says with so many drafts and messages heard. */
export function hostHeard(composer: ComposerState, heard: number): ComposerState {
  return composer.heard === heard ? composer : { ...composer, heard };
}

/** The host took the message: its text goes, what was typed behind it stays. */
export function sendTaken(composer: ComposerState, sendId: string): ComposerState {
  const { pending } = composer;
  return pending?.sendId === sendId ? settled(composer, pending.text) : composer;
}

/** The host did not take the message: the text stays. */
export function sendRefused(composer: ComposerState, sendId: string): ComposerState {
  return composer.pending?.sendId === sendId ? { ...composer, pending: null } : composer;
}

/** The host puts a text into the composer, of which `added` is new; what the user typed meanwhile stays before that. */
export function draftArrived(composer: ComposerState, text: string, added = ""): ComposerState {
  if (!isCrossed(composer) && (composer.text === composer.postedText || composer.text === ""))
    return { ...composer, text, postedText: text };
  if (added === "") return composer;
  const before = composer.text.trimEnd();
  return { ...composer, text: before === "" ? added : `${before}\n\n${added}` };
}

/**
 * A snapshot of the same conversation came with the host's `draft`. Text that the host has not seen stays. A draft that is
 * gone settles a message that was on its way: it was taken.
 */
export function draftInSnapshot(composer: ComposerState, draft: string): ComposerState {
  if (isCrossed(composer)) return composer; // the snapshot is older than what stands here
  const { pending, postedText } = composer;
  const isTaken = pending !== null && draft === "" && postedText !== "";
  const { text } = isTaken ? settled(composer, pending.text) : composer;
  return {
    ...composer,
    text: text === postedText ? draft : text,
    postedText: draft,
    pending: isTaken ? null : pending,
  };
}

/** A conversation has been closed, and its draft with it; what the host has not seen of it stays for the next one. */
export function draftAfterClosing(composer: ComposerState): ComposerState {
  const isSeen = composer.text === composer.postedText && !isCrossed(composer);
  return { ...composer, text: isSeen ? "" : composer.text, postedText: "", pending: null };
}

/** A conversation has been opened, whose stored `draft` comes before what was typed meanwhile; neither is lost. */
export function draftAfterOpening(composer: ComposerState, draft: string): ComposerState {
  const text = [draft, composer.text].filter((part) => part !== "").join("\n");
  return { ...composer, text, postedText: draft, pending: null, saidBefore: composer.said };
}

/**
 * What stands in the composer of a page that comes new into sight, before what was typed in it meanwhile. What the page before
 * it sent is on its way still: its text stands here until it is taken, and is not sent once more.
 */
export function draftAnew(composer: ComposerState, draft: string, sending: SentMessage | null): ComposerState {
  const opened = draftAfterOpening(composer, draft);
  const isMissing = sending !== null && !draft.startsWith(sending.text);
  return { ...(isMissing ? draftAfterOpening(opened, sending.text) : opened), postedText: draft, pending: sending };
}

/** Whether something is on its way to the host, which it did not have when it said what came last. */
export function isCrossed({ said, heard, saidBefore }: ComposerState): boolean {
  return Math.max(heard, saidBefore) < said;
}

function settled(composer: ComposerState, sent: string): ComposerState {
  const { text, postedText } = composer;
  const isHeard = !isCrossed(composer); // then the host has taken it out of the same draft
  const posted = postedText.startsWith(sent) ? restOfDraft(postedText, sent) : "";
  return { ...composer, text: restOfDraft(text, sent), postedText: isHeard ? posted : postedText, pending: null };
}
