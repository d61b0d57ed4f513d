/**
 * What is in the composer, and what became of it. The host keeps the draft; this keeps what was typed since.
 * Invariants: text leaves the composer only when the host has taken it, and nothing of the host overwrites text that
 * the user typed and the host has not seen.
 */

/** The composer's content. */
export interface ComposerState {
  readonly text: string;
  /** What the host was told last, or told us; when it differs from `text`, a `draft` is due. */
  readonly postedText: string;
  /** The message on its way to the host; null when there is none. */
  readonly pending: { readonly sendId: string; readonly text: string } | null;
}

/** An empty composer. */
export const emptyComposer: ComposerState = { text: "", postedText: "", pending: null };

/** The user changed the text. */
export function typed(composer: ComposerState, text: string): ComposerState {
  return { ...composer, text };
}

/** The text was posted as a draft. */
export function draftPosted(composer: ComposerState): ComposerState {
  return { ...composer, postedText: composer.text };
}

/** The text was posted as a message. */
export function sendStarted(composer: ComposerState, sendId: string): ComposerState {
  return { ...composer, pending: { sendId, text: composer.text } };
}

/** The host took the message: its text goes, what was typed behind it stays. */
export function sendTaken(composer: ComposerState, sendId: string): ComposerState {
  if (composer.pending?.sendId !== sendId) return composer;
  return { text: withoutSent(composer.text, composer.pending.text), postedText: "", pending: null };
}

/** The host did not take the message: the text stays. */
export function sendRefused(composer: ComposerState, sendId: string): ComposerState {
  return composer.pending?.sendId === sendId ? { ...composer, pending: null } : composer;
}

/** The host puts a text into the composer; what the user typed meanwhile wins. */
export function draftArrived(composer: ComposerState, text: string): ComposerState {
  return composer.text === composer.postedText || composer.text === ""
    ? { ...composer, text, postedText: text }
    : composer;
}

/**
 * A snapshot of the same conversation came with the host's `draft`. It also settles a message that was on its way: an
 * empty draft means that it was taken. Text that the host has not seen stays.
 */
export function draftInSnapshot(composer: ComposerState, draft: string): ComposerState {
  const { pending } = composer;
  if (pending !== null && draft === "") {
    return { text: withoutSent(composer.text, pending.text), postedText: "", pending: null };
  }
  const text = composer.text === composer.postedText ? draft : composer.text;
  return { text, postedText: draft, pending: null };
}

/** A conversation has been closed, and its draft with it; what the host has not seen of it stays for the next one. */
export function draftAfterClosing({ text, postedText }: ComposerState): ComposerState {
  return { ...emptyComposer, text: text === postedText ? "" : text };
}

/** A conversation has been opened, whose stored `draft` comes before what was typed meanwhile; neither is lost. */
export function draftAfterOpening(composer: ComposerState, draft: string): ComposerState {
  const text = [draft, composer.text].filter((part) => part !== "").join("\n");
  return { text, postedText: draft, pending: null };
}

function withoutSent(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
}
