/** Characters that a reader does not see while a model reads them, made visible. */

/**
 * What turns the direction of text, has no width, or is a tag: the ways to hide an order in a text. Joiners stay, as
 * scripts and emoji need them.
 */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;
/** C0 and C1. */
const CONTROL = /\p{Cc}/gu;

/** A text in which nothing is hidden, and how many characters were. */
export interface VisibleText {
  readonly text: string;
  readonly hiddenCount: number;
}

/** Replaces each hidden character by its code point: `[U+202E]`. */
export function makeVisible(text: string): VisibleText {
  let hiddenCount = 0;
  const visible = text.replace(HIDDEN, (character) => {
    hiddenCount++;
    return codeOf(character);
  });
  return { text: visible, hiddenCount };
}

/** Whether a text holds a hidden character. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** A text as part of one line that a user reads: nothing hidden, no control characters, at most `most` UTF-16 units. */
export function onOneLine(text: string, most = 200): string {
  const shown = text.slice(0, most).replace(HIDDEN, codeOf).replace(CONTROL, codeOf);
  return text.length > most ? `${shown}…` : shown;
}

/** A text of several lines that a user reads: line ends and tabs stay, nothing else is hidden. */
export function onSeveralLines(text: string): string {
  const shown = text.replace(HIDDEN, codeOf);
  return shown.replace(CONTROL, (character) =>
    character === "\n" || character === "\t" ? character : codeOf(character),
  );
}

function codeOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
