/** Cuts a span into pieces that fit the summarizer's own window: at turns, within a turn that is too long at messages. */

import type { ReadSource } from "./source.ts";
import { transcriptOf } from "./sourceTranscript.ts";

/** A piece of the span as it is sent. */
export interface Chunk {
  readonly sources: readonly ReadSource[];
  readonly transcript: string;
  /** Tokens of the transcript, as the summarizer's model counts. */
  readonly tokens: number;
}

/** One source alone, shortened until it takes at most `roomTokens` by `count`. */
export function chunkOfSource(source: ReadSource, roomTokens: number, count: (text: string) => number): Chunk {
  for (let share = 1; ; share /= 2) {
    const transcript = transcriptOf(source, share);
    const tokens = count(transcript) + LINE_END_TOKENS;
    if (tokens <= roomTokens || share <= SMALLEST_SHARE) return { sources: [source], transcript, tokens };
  }
}

/** Joins chunks of one source each into as few as fit; whole turns stay together where they can. Nothing is left out. */
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
/** Joining two transcripts adds a line end, and may part a token. */
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
