/** The mark behind a detail of a summary that its originals do not have, drawn so that it is seen and can be heard. */
import { type ComponentChildren, createContext } from "preact";
import { words } from "../words/words.ts";
import { visibleText } from "../answer/visibleText.tsx";

/** Whether what is drawn is a summary, in whose text such marks stand. */
export const MarksContext = createContext(false);

/** As the host writes it. */
const mark = "[unverified]";

/** Text with its marks. */
export function withMarks(text: string): ComponentChildren {
  if (!text.includes(mark)) return visibleText(text);
  return text.split(mark).map((piece, index) => (
    <>
      {index === 0 ? null : <span class="unverified mark">{words.unverifiedMark}</span>}
      {visibleText(piece)}
    </>
  ));
}
