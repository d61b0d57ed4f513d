/** Splits a span into chunks that fit the summarizer's window: between turns, else between messages. */

import type { ReadSource } from "./source.ts";
import { transcriptOf } from "./sourceTranscript.ts";

export interface Chunk {
  readonly sources: readonly ReadSource[];
  readonly transcript: string;
  /** Transcript size, counted for the summarizer's model. */
  readonly tokens: number;
}

/** A chunk of one source, shortened until it takes at most `roomTokens` by `count`. */
export function chunkOfSource(source: ReadSource, roomTokens: number, count: (text: string) => number): Chunk {
  for (let share = 1; ; share /= 2) {
    const transcript = transcriptOf(source, share);
    const tokens = count(transcript) + LINE_END_TOKENS;
    if (tokens <= roomTokens || share <= SMALLEST_SHARE) return { sources: [source], transcript, tokens };
  }
}

/** Joins single-source chunks into as few as fit, keeping turns whole where possible. */
export function joinChunks(shown: readonly Chunk[], roomTokens: number): readonly Chunk[] {
  const groups: { readonly chunks: Chunk[]; tokens: number }[] = [];
  for (const turn of turnsOf(shown)) {
    for (const piece of tokensOf(turn) <= roomTokens ? [turn] : turn.map((chunk) => [chunk])) {
      const tokens = tokensOf(piece);
      const last = groups.at(-1);
      if (last === undefined || last.tokens + tokens > roomTokens) groups.push({ chunks: [...piece], tokens });
      else {
        last.chunks.push(...piece);
        last.tokens += tokens;
      }
    }
  }
  return groups.map(({ chunks }) => joined(chunks));
}

const SMALLEST_SHARE = 1 / 256;
/** Joining two transcripts adds a line break, and may split a token. */
const LINE_END_TOKENS = 2;

function turnsOf(shown: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const turns: Chunk[][] = [];
  for (const chunk of shown) {
    const last = turns.at(-1);
    if (last !== undefined && turnOf(last[0]) === turnOf(chunk)) last.push(chunk);
    else turns.push([chunk]);
  }
  return turns;
}

function turnOf(chunk: Chunk | undefined): number | undefined {
  return chunk?.sources[0]?.turn;
}

function joined(chunks: readonly Chunk[]): Chunk {
  return {
    sources: chunks.flatMap(({ sources }) => sources),
    transcript: chunks.map(({ transcript }) => transcript).join("\n"),
    tokens: tokensOf(chunks),
  };
}

function tokensOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { tokens }) => sum + tokens, 0);
}
