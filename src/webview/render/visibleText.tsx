import type { ComponentChildren } from "preact";
import { codeOf, hiddenSequence } from "../../protocol/hiddenSequence.ts";
import { words } from "../words.ts";

/** Rows of what is hidden, and of what controls a terminal. */
const hidden = new RegExp(`((?:(?![\\t\\n\\r])\\p{Cc}|${hiddenSequence.source})+)`, "u");

/** Returns `text` with hidden characters made visible, as "U+202E". */
export function visibleText(text: string): ComponentChildren {
  if (!hidden.test(text)) return text;
  return text
    .split(hidden)
    .map((part, index) => (index % 2 === 0 ? part : <HiddenCharacters key={index} text={part} />));
}

/** Of one row; nobody reads more of them. */
const mostShown = 8;

/** One such row. */
export function HiddenCharacters({ text }: { readonly text: string }) {
  const characters = Array.from(text);
  const codes = characters.slice(0, mostShown).map(codeOf).join(" ") + (characters.length > mostShown ? " …" : "");
  return (
    <span class="hidden-characters" title={words.invisible(codes)}>
      {codes}
    </span>
  );
}
