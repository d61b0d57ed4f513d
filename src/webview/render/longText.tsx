import { Component, type VNode } from "preact";
import { pieceLength, textPieces } from "../textPieces.ts";
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

/** A part of it. */
export class Piece extends Component<{ readonly text: string }> {
  override shouldComponentUpdate(next: { readonly text: string }): boolean {
    return next.text !== this.props.text;
  }

  override render({ text }: { readonly text: string }) {
    return pieceView(text);
  }
}

/** What a {@link Piece} looks like. */
export function pieceView(text: string): VNode {
  return <span class="piece">{visibleText(text)}</span>;
}
