import { pieceLength, textPieces } from "./textPieces.ts";
import { PureComponent } from "../controls/pureComponent.ts";
import { visibleText } from "./visibleText.tsx";

/**
 * Text of any length, white space preserved. Long text is drawn in pieces: only visible ones are laid out, only changed
 * ones compared. A line of a million characters costs no more than its visible part.
 */
export function LongText({ text }: { readonly text: string }) {
  if (text.length <= pieceLength) return <>{visibleText(text)}</>;
  return (
    <>
      {textPieces(text).map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
    </>
  );
}

class Piece extends PureComponent<{ readonly text: string }> {
  override render({ text }: this["props"]) {
    return <span class="piece">{visibleText(text)}</span>;
  }
}
