import { type ComponentChildren, Fragment } from "preact";
import { codeOf } from "../../protocol/hiddenSequence.ts";
import { directionRuns, rightToLeftLetter } from "../../protocol/rightToLeft.ts";
import { hiddenParts } from "./hiddenParts.ts";
import { words } from "../words/words.ts";

/** `text` with hidden characters shown as code points, such as "U+202E". */
export function visibleText(text: string): ComponentChildren {
  const parts = hiddenParts(text);
  if (parts.length === 1) return parts[0];
  return parts.map((part, index) => (index % 2 === 0 ? part : <HiddenCharacters key={index} text={part} />));
}

/** Runs per text that get an element of their own: more than what is asked about can hold. */
const maxIsolatedRuns = 10_000;

/** The same for text that is not prose: each run of right-to-left words stays where it was written. */
export function isolatedText(text: string, isPartOfLine = false): ComponentChildren {
  if (!rightToLeftLetter.test(text)) return visibleText(text);
  return directionRuns(text, isPartOfLine).map((run, index) =>
    run.isRightToLeft && index < maxIsolatedRuns ? (
      <bdi key={index}>{visibleText(run.text)}</bdi>
    ) : (
      <Fragment key={index}>{visibleText(run.text)}</Fragment>
    ),
  );
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
