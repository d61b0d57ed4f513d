/** Splits a span into chunks that fit the summarizer's window: between turns, else between messages. */

import type { ReadSource } from "./source.ts";
import { transcriptOf } from "./sourceTranscript.ts";

/** A source as it is shown to the summarizer. */
export interface ShownSource {
  readonly source: ReadSource;
  /** Of the usual limits of its passages. */
  readonly share: number;
  readonly isBrief: boolean;
  /** Transcript size, counted for the summarizer's model. */
  readonly tokens: number;
}

export interface Chunk {
  readonly shown: readonly ShownSource[];
  readonly tokens: number;
}

/** Shortens the source until it takes at most `roomTokens` by `count`. */
export function shownWithin(source: ReadSource, roomTokens: number, count: (text: string) => number): ShownSource {
  const isBrief = roomTokens < SMALL_ROOM_TOKENS;
  for (let share = 1; ; share /= 2) {
    const tokens = count(transcriptOf(source, { share, isBrief })) + LINE_END_TOKENS;
    if (tokens <= roomTokens || share <= SMALLEST_SHARE) return { source, share, isBrief, tokens };
  }
}

/** Made when it is sent: those of a long span take as much memory as the span. */
export function transcriptOfChunk({ shown }: Pick<Chunk, "shown">): string {
  return shown.map(({ source, share, isBrief }) => transcriptOf(source, { share, isBrief })).join("\n");
}

/** Joins shown sources, one after the other, into as few chunks as fit, keeping turns whole where possible. */
export class ChunkJoiner {
  readonly #roomTokens: number;
  readonly #chunks: { readonly shown: ShownSource[]; tokens: number }[] = [];
  #turn: ShownSource[] = [];

  constructor(roomTokens: number) {
    this.#roomTokens = roomTokens;
  }

  add(shown: ShownSource): void {
    if (this.#turn[0]?.source.turn !== shown.source.turn) this.#endTurn();
    this.#turn.push(shown);
  }

  /** Chunks of the turns that have ended; more sources never make them fewer. */
  get count(): number {
    return this.#chunks.length;
  }

  end(): readonly Chunk[] {
    this.#endTurn();
    return this.#chunks;
  }

  #endTurn(): void {
    const turn = this.#turn;
    this.#turn = [];
    if (turn.length === 0) return;
    for (const piece of tokensOf(turn) <= this.#roomTokens ? [turn] : turn.map((shown) => [shown])) {
      const tokens = tokensOf(piece);
      const last = this.#chunks.at(-1);
      if (last === undefined || last.tokens + tokens > this.#roomTokens)
        this.#chunks.push({ shown: [...piece], tokens });
      else {
        for (const shown of piece) last.shown.push(shown);
        last.tokens += tokens;
      }
    }
  }
}

/** Of the windows in which summaries are frequent, and each token of them that is read again counts. */
const SMALL_ROOM_TOKENS = 16_000;
const SMALLEST_SHARE = 1 / 256;
/** Joining two transcripts adds a line break, and may split a token. */
const LINE_END_TOKENS = 2;

function tokensOf(shown: readonly ShownSource[]): number {
  return shown.reduce((sum, { tokens }) => sum + tokens, 0);
}
