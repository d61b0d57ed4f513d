/** Visible and spoken mark after a detail of a summary that is not in its originals. */
import { type ComponentChildren, createContext } from "preact";
import { words } from "../words/words.ts";
import { visibleText } from "../answer/visibleText.tsx";

/** Whether the text drawn is a summary's, which may contain marks. */
export const UnverifiedMarksContext = createContext(false);

/** As written by the host. */
const mark = "[unverified]";

export function drawUnverifiedMarks(text: string): ComponentChildren {
  if (!text.includes(mark)) return visibleText(text);
  return text.split(mark).map((piece, index) => (
    <>
      {index === 0 ? null : <span class="unverified mark">{words.unverifiedMark}</span>}
      {visibleText(piece)}
    </>
  ));
}
