import { pieceLength, textPieces } from "./textPieces.ts";
import { Pure } from "../controls/pure.ts";
import { visibleText } from "./visibleText.tsx";

/**
 * Text of any length as it is, white space kept. What is long is drawn in parts, of which only those in sight are laid out
 * and only those that changed are looked at: a line of a million characters costs no more than what is seen of it.
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

class Piece extends Pure<{ readonly text: string }> {
  override render({ text }: this["props"]) {
    return <span class="piece">{visibleText(text)}</span>;
  }
}
