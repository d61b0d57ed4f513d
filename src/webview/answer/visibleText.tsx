import type { ComponentChildren } from "preact";
import { codeOf } from "../../protocol/hiddenSequence.ts";
import { hiddenParts } from "./hiddenParts.ts";
import { words } from "../words/words.ts";

/** `text` with hidden characters shown as code points, such as "U+202E". */
export function visibleText(text: string): ComponentChildren {
  const parts = hiddenParts(text);
  if (parts.length === 1) return parts[0];
  return parts.map((part, index) => (index % 2 === 0 ? part : <HiddenCharacters key={index} text={part} />));
}

/** Code points shown per run. */
const maxShownCharacters = 8;

function HiddenCharacters({ text }: { readonly text: string }) {
  const characters = Array.from(text);
  const codes =
    characters.slice(0, maxShownCharacters).map(codeOf).join(" ") +
    (characters.length > maxShownCharacters ? " …" : "");
  return (
    <span class="hidden-characters" title={words.invisible(codes)}>
      {codes}
    </span>
  );
}
