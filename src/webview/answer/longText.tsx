import type { ComponentChildren } from "preact";
import { withoutHidden } from "./hiddenParts.ts";
import { pieceLength, textPieces } from "./textPieces.ts";
import { PureComponent } from "../controls/pureComponent.ts";
import { visibleText } from "./visibleText.tsx";

interface LongTextProps {
  readonly text: string;
  /** `isolatedText` for what is not prose. */
  readonly draw?: typeof visibleText;
}

/** First pieces, in which hidden characters and right-to-left words get elements of their own. */
const maxDecoratedPieces = 35;

/**
 * Text of any length, white space preserved. Long text is drawn in pieces: only visible ones are laid out, only changed
 * ones compared. A line of a million characters costs no more than its visible part.
 */
export function LongText({ text, draw = visibleText }: LongTextProps) {
  if (text.length <= pieceLength) return <>{draw(text)}</>;
  return (
    <>
      {textPieces(text).map((piece, index) => (
        <Piece key={index} text={piece} draw={index < maxDecoratedPieces ? draw : withoutHidden} />
      ))}
    </>
  );
}

interface PieceProps {
  readonly text: string;
  readonly draw: (text: string) => ComponentChildren;
}

class Piece extends PureComponent<PieceProps> {
  override render({ text, draw }: this["props"]) {
    return <span class="piece">{draw(text)}</span>;
  }
}
