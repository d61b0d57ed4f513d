/** Finds invisible characters in a text. Pure. */
import { hiddenSequence } from "../../protocol/hiddenSequence.ts";

/** Runs of invisible characters. */
const hidden = new RegExp(`((?:${hiddenSequence.source})+)`, "u");

/** Runs per text that are shown as code points. */
const maxShownRuns = 20;

/** Splits the text: every second part is a hidden run. Each run beyond the limit becomes U+FFFD in the last part. */
export function hiddenParts(text: string): readonly string[] {
  if (!hidden.test(text)) return [text];
  const parts = text.split(hidden);
  const others = parts.splice(2 * maxShownRuns);
  return others.length === 0 ? parts : [...parts, replaced(others)];
}

/** The text with U+FFFD for each run of invisible characters. */
export function withoutHidden(text: string): string {
  return replaced(text.split(hidden));
}

function replaced(parts: readonly string[]): string {
  return parts.map((part, index) => (index % 2 === 0 ? part : "\ufffd")).join("");
}
