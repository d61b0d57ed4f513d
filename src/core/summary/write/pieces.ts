/** Cuts a long passage into pieces that are read in some milliseconds each, and that read as the whole would. */

import { isLedgerHeading } from "../facts/ledger.ts";
import type { Passage } from "./source.ts";

/** A piece is about this long; only a single line may be longer. */
const UNITS_A_PIECE = 6_000;

/**
 * The pieces of a passage, cut between lines. One that begins in a code fence, or in the ledger of an earlier summary,
 * begins with the line that opens it.
 */
export function piecesOf(passage: Passage): readonly Passage[] {
  if (passage.text.length <= UNITS_A_PIECE) return [passage];
  const pieces: Passage[] = [];
  let lines: string[] = [];
  let units = 0;
  let fence: string | undefined;
  let heading: string | undefined;
  const end = (): void => {
    if (lines.length > 0) pieces.push({ ...passage, text: lines.join("\n") });
    lines = [heading, fence].filter((line) => line !== undefined);
    units = 0;
  };
  for (const line of passage.text.split("\n")) {
    lines.push(line);
    units += line.length + 1;
    const trimmed = line.trim();
    if (/^(?:```|~~~)/.test(trimmed)) fence = fence === undefined ? trimmed : undefined;
    else if (line.startsWith("#")) heading = passage.origin === "summary" && isLedgerHeading(line) ? line : undefined;
    if (units >= UNITS_A_PIECE) end();
  }
  if (units > 0) end();
  return pieces;
}
