/** Lists of view items: sums, runs, turns, chunks. */

import { messageId, type MessageId } from "../../ids.ts";
import type { ViewItem } from "./compactionView.ts";

export function sumOf(items: readonly ViewItem[], field: "tokens" | "originalTokens" | "messages"): number {
  return items.reduce((sum, item) => sum + item[field], 0);
}

export function endOf(items: readonly ViewItem[]): MessageId {
  return messageId(items.reduce((end, { covers }) => Math.max(end, covers.end), 0));
}

/** The highest level of all items. */
export function levelOf(items: readonly ViewItem[]): number {
  return items.reduce((coarsest, { level }) => Math.max(coarsest, level), 0);
}

/** Maximal runs of adjacent items that `belongs` accepts, oldest first. */
export function runsOf<T>(items: readonly T[], belongs: (item: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let run: T[] | undefined;
  for (const item of items) {
    if (!belongs(item)) run = undefined;
    else if (run === undefined) runs.push((run = [item]));
    else run.push(item);
  }
  return runs;
}

/** Adjacent items by turn, oldest first. A summary of several turns is alone, or with the rest of its last one. */
export function turnsOf(run: readonly ViewItem[]): readonly (readonly ViewItem[])[] {
  const turns: ViewItem[][] = [];
  for (const item of run) {
    const turn = turns.at(-1);
    if (turn?.at(-1)?.lastTurn === item.firstTurn) turn.push(item);
    else turns.push([item]);
  }
  return turns;
}

/** Adjacent pieces grouped up to `tokenUpperBound`, oldest first; a larger piece is alone. */
export function chunksOf<Piece extends ViewItem | readonly ViewItem[]>(
  pieces: readonly Piece[],
  mostTokens: number,
): readonly (readonly Piece[])[] {
  const chunks: Piece[][] = [];
  let held = 0;
  for (const piece of pieces) {
    const tokens = "tokens" in piece ? piece.tokens : sumOf(piece, "tokens");
    const chunk = chunks.at(-1);
    held += tokens;
    if (chunk !== undefined && held <= mostTokens) chunk.push(piece);
    else {
      chunks.push([piece]);
      held = tokens;
    }
  }
  return chunks;
}

/** Most tokens of one summary: one of more would lose too much, and could be undone only as a whole. */
export const CHUNK_TOKENS = 20_000;
