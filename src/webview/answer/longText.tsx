import { pieceLength, textPieces } from "./textPieces.ts";
import { PureComponent } from "../controls/pureComponent.ts";
import { visibleText } from "./visibleText.tsx";

interface LongTextProps {
  readonly text: string;
  /** `isolatedText` for what is not prose. */
  readonly draw?: typeof visibleText;
}

/**
 * Text of any length, white space preserved. Long text is drawn in pieces: only visible ones are laid out, only changed
 * ones compared. A line of a million characters costs no more than its visible part.
 */
export function LongText({ text, draw = visibleText }: LongTextProps) {
  if (text.length <= pieceLength) return <>{draw(text)}</>;
  return (
    <>
      {textPieces(text).map((piece, index) => (
        <Piece key={index} text={piece} draw={draw} />
      ))}
    </>
  );
}

class Piece extends PureComponent<Required<LongTextProps>> {
  override render({ text, draw }: this["props"]) {
    return <span class="piece">{draw(text)}</span>;
  }
}
