/** The one definition of what a reader does not see while a model reads it, for the page and for what tools read. */

/**
 * Characters that turn the direction of what follows or have no width, and tags: one of them is enough to hide an order.
 * Fillers that are drawn as nothing. Of selectors and joiners, which scripts and emoji need one at a time, only rows; of
 * marks only as many as would be drawn over other lines.
 */
export const hiddenSequence =
  /[\u202a-\u202e\u2060-\u206f\u200b\ufeff\u3164\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}|[\u061c\u180e\u200c-\u200f]{3,}|\p{M}{9,}/u;

/** A character as a reader can name it: "U+202E". */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
