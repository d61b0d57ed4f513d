/** Finds what a reader would not see in a text. Pure. */
import { hiddenSequence } from "../../protocol/hiddenSequence.ts";

/** Rows of what is hidden, and of what controls a terminal. */
const hidden = new RegExp(`((?:(?![\\t\\n\\r])\\p{Cc}|${hiddenSequence.source})+)`, "u");

/** So many rows of one text are shown with what they are. */
const mostShown = 20;

/** The text in parts, each second of them hidden; of more than can be shown, the others are a sign in the last part. */
export function hiddenParts(text: string): readonly string[] {
  if (!hidden.test(text)) return [text];
  const parts = text.split(hidden);
  const others = parts.splice(2 * mostShown).map((part, index) => (index % 2 === 0 ? part : "\ufffd"));
  return others.length === 0 ? parts : [...parts, others.join("")];
}
