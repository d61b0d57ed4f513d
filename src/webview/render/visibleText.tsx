import type { ComponentChildren } from "preact";
import { words } from "../words.ts";

/**
 * Characters that turn the direction of what follows, that control a terminal, or that can hide text from the reader while
 * a model reads it: bidi controls, tag characters, a few that have no width at all, and rows of those that scripts and
 * emoji need one at a time. Marks that pile up would be drawn over other lines.
 */
const hidden =
  /((?:(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}])+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}|[\u200c-\u200f]{3,}|\p{M}{9,})/u;

/** Returns `text` with hidden characters made visible, as "U+202E". */
export function visibleText(text: string): ComponentChildren {
  if (!hidden.test(text)) return text;
  return text
    .split(hidden)
    .map((part, index) => (index % 2 === 0 ? part : <HiddenCharacters key={index} text={part} />));
}

/** Of one row; nobody reads more of them. */
const mostShown = 8;

function HiddenCharacters({ text }: { readonly text: string }) {
  const characters = Array.from(text);
  const codes = characters.slice(0, mostShown).map(codeOf).join(" ") + (characters.length > mostShown ? " …" : "");
  return (
    <span class="hidden-characters" title={words.invisible(codes)}>
      {codes}
    </span>
  );
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
