/** Takes changes of one file back, and leaves what its person changed since as it is. */

import { type CompareLines, mergeReplacements } from "./mergeLines.ts";

/** Each character is one byte, so that nothing is lost whatever the encoding; `null`: there is no file. */
export type Content = string | null;

export interface ContentChange {
  readonly before: Content;
  readonly after: Content;
}

export type Reverted =
  | { readonly kind: "content"; readonly content: Content }
  /** `edited`: at the same place, or in a file that is no text; `deleted` and `created`: the file itself. */
  | { readonly kind: "conflict"; readonly why: "edited" | "deleted" | "created" };

/** UTF-16 and most files that are no text have bytes of zero. */
const NO_TEXT = "\0";

/** `current` without `changes`, which are in their order; all of them or none. */
export function revertContent(current: Content, changes: readonly ContentChange[], compare: CompareLines): Reverted {
  let content = current;
  for (const change of changes.toReversed()) {
    const reverted = revertOne(content, change, compare);
    if (reverted.kind === "conflict") return reverted;
    ({ content } = reverted);
  }
  return { kind: "content", content };
}

function revertOne(current: Content, { before, after }: ContentChange, compare: CompareLines): Reverted {
  // A crash came before the change was made, or its person took it back.
  if (current === after || current === before) return { kind: "content", content: before };
  if (current === null) return { kind: "conflict", why: "deleted" };
  if (before === null) return { kind: "conflict", why: "edited" };
  if (after === null) return { kind: "conflict", why: "created" };
  if ([current, before, after].some((content) => content.includes(NO_TEXT))) return { kind: "conflict", why: "edited" };
  const base = linesOf(after);
  const [person, back] = [compare(base, linesOf(current)), compare(base, linesOf(before))];
  const merged = person && back && mergeReplacements(base, person, back);
  return merged === undefined ? { kind: "conflict", why: "edited" } : { kind: "content", content: merged.join("") };
}

/** With their ends, so that a changed line end is a change. */
function linesOf(content: string): readonly string[] {
  return content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
