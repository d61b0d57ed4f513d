import type { ComponentChildren } from "preact";
import { directionRuns } from "../../protocol/rightToLeft.ts";
import { withoutHidden } from "./hiddenParts.ts";
import { pieceLength, textPieces } from "./textPieces.ts";
import { PureComponent } from "../controls/pureComponent.ts";
import { isolatedText, visibleText } from "./visibleText.tsx";

interface LongTextProps {
  readonly text: string;
  /** `isolatedText` for what is not prose. */
  readonly draw?: typeof visibleText;
}

/** First pieces, in which hidden characters and right-to-left words get elements of their own. */
const maxDecoratedPieces = 35;
/** Runs of one direction in the decorated pieces of what is not prose: each is a text node, every second one in an element. */
const maxRuns = 10_000;

/**
 * Text of any length, white space preserved. Long text is drawn in pieces: only visible ones are laid out, only changed
 * ones compared. A line of a million characters costs no more than its visible part.
 */
export function LongText({ text, draw = visibleText }: LongTextProps) {
  if (text.length <= pieceLength) return <>{draw(text)}</>;
  const pieces = textPieces(text);
  const decorated = draw === isolatedText ? isolatedPieces(pieces) : maxDecoratedPieces;
  return (
    <>
      {pieces.map((piece, index) => (
        <Piece key={index} text={piece} draw={index < decorated ? draw : withoutHidden} />
      ))}
    </>
  );
}

function isolatedPieces(pieces: readonly string[]): number {
  const decorated = pieces.slice(0, maxDecoratedPieces);
  let runs = 0;
  const beyond = decorated.findIndex((piece) => (runs += directionRuns(piece).length) > maxRuns);
  return beyond < 0 ? decorated.length : beyond;
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
