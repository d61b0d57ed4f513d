import type { ComponentChildren } from "preact";
import { words } from "../words.ts";

/**
 * Characters that turn the direction of what follows, or can hide text from the reader while a model reads it: bidi
 * controls, tag characters, and a few that have no width at all. Joiners stay: scripts and emoji need them.
 */
const hidden = /([\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]+)/u;

/** Returns `text` with hidden characters made visible, as "U+202E". */
export function visibleText(text: string): ComponentChildren {
  if (!hidden.test(text)) return text;
  return text
    .split(hidden)
    .map((part, index) => (index % 2 === 0 ? part : <HiddenCharacters key={index} text={part} />));
}

function HiddenCharacters({ text }: { readonly text: string }) {
  const codes = Array.from(text.slice(0, 16), codeOf).join(" ");
  return (
    <span class="hidden-characters" title={words.invisible(codes)}>
      {codes}
    </span>
  );
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
