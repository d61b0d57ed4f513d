/**
 * Writes the notes of a span with a model: in one request if its window allows, else chunk by chunk, with further
 * requests that merge the notes on the chunks. A chunk without a usable answer is extracted. So n chunks take at most
 * 2n - 1 calls, and one more where a question is put a second time. If the compaction has fewer left, none is made.
 */

import type { ForgeError } from "../../errors.ts";
import { err, ok, type Result } from "../../result.ts";
import { TOLERANCE } from "./acceptance.ts";
import { answerTooLongCheck } from "./answerLength.ts";
import { type Chunk, ChunkJoiner, shownWithin, transcriptOfChunk } from "./chunks.ts";
import { extractNotes, extractSource } from "./extract.ts";
import { type Judge, type NotesServices, NotesAsker, type Question } from "./notesAsker.ts";
import { judgedNotes } from "./notesCheck.ts";
import { NotesProgress } from "./notesProgress.ts";
import type { ReadPages, ReadSource } from "./source.ts";
import { inSlices } from "../../cooperativeTask.ts";
import type { SummaryRequest } from "./summaryRequest.ts";
import { beginningThatFits } from "./textSize.ts";
import { transcriptOfNotes } from "./sourceTranscript.ts";

export interface ModelNotes {
  readonly text: string;
  /** Whether a model wrote any of it; otherwise it is an extract. */
  readonly isByModel: boolean;
  /** The whole text that a model was shown; absent: none was asked. */
  readonly sources?: readonly ReadSource[];
  /** The model was not asked, as too few calls are left for that. */
  readonly isForNow?: true;
  readonly calls: number;
  /** As billed, over all calls that reported it. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Too few calls are left in the compaction. */
export const NOT_ASKED: ModelNotes = { text: "", isByModel: false, isForNow: true, calls: 0 };

/** Aims at `notesTokens`. An error is a failure of the provider, or `CANCELLED`. */
export function modelNotes(
  sources: ReadPages,
  notesTokens: number,
  request: Pick<SummaryRequest, "kind" | "focus">,
  deps: NotesServices,
): Promise<Result<ModelNotes, ForgeError>> {
  return new NotesWriter(notesTokens, request, deps).write(sources);
}

/** With less room for a transcript, no request is made. */
export const SMALLEST_ROOM_TOKENS = 128;

const SMALLEST_PIECE_TOKENS = 64;

class NotesWriter {
  readonly #notesTokens: number;
  readonly #asker: NotesAsker;
  readonly #deps: NotesServices;
  #isByModel = false;
  #progress: NotesProgress | undefined;

  constructor(notesTokens: number, request: Pick<SummaryRequest, "kind" | "focus">, deps: NotesServices) {
    this.#notesTokens = notesTokens;
    this.#asker = new NotesAsker(request, notesTokens, deps, (units, aimTokens) => {
      this.#progress?.wrote(units, aimTokens);
    });
    this.#deps = deps;
  }

  async write(pages: ReadPages): Promise<Result<ModelNotes, ForgeError>> {
    const room = this.#asker.roomTokens;
    if (room < SMALLEST_ROOM_TOKENS) return ok({ text: "", isByModel: false, calls: 0 });
    const joiner = new ChunkJoiner(room);
    const sources: ReadSource[] = [];
    for await (const page of pages) {
      if (!page.ok) return page;
      for (const source of page.value) {
        sources.push(source);
        joiner.add(shownWithin(source, room, (text) => this.#asker.tokensOf(text)));
        await this.#deps.yieldToHost();
        if (this.#deps.cancel.aborted) return err({ code: "CANCELLED" });
        if (this.#takesTooManyCalls(joiner.count)) return ok(NOT_ASKED);
      }
    }
    const chunks = joiner.end();
    if (this.#takesTooManyCalls(chunks.length)) return ok(NOT_ASKED);
    const pieces = await this.#writePieces(chunks, sources.length);
    if (!pieces.ok) return pieces;
    const text = await this.#merge(pieces.value, room);
    if (!text.ok) return text;
    const { calls, usage } = this.#asker;
    const spent = { calls, ...(usage === undefined ? {} : { usage }) };
    return ok({ text: text.value, isByModel: this.#isByModel, sources, ...spent });
  }

  #takesTooManyCalls(chunks: number): boolean {
    return !this.#deps.record.isStopped && 2 * chunks - 1 > this.#deps.calls.left;
  }

  async #writePieces(chunks: readonly Chunk[], itemsTotal: number): Promise<Result<readonly Piece[], ForgeError>> {
    const sizes = chunks.map(({ tokens }) => tokens);
    const total = sizes.reduce((sum, tokens) => sum + tokens, 0);
    this.#progress = new NotesProgress(sizes, itemsTotal, this.#deps.onProgress);
    const pieces: Piece[] = [];
    for (const [index, chunk] of chunks.entries()) {
      const tokens = share(this.#notesTokens, chunk.tokens, total);
      const holds = chunks.length === 1 ? WHOLE : ({ kind: "part", number: index + 1, count: chunks.length } as const);
      const sources = chunk.shown.map(({ source }) => source);
      const answer = await this.#ask(transcriptOfChunk(chunk), tokens, holds, sources);
      if (!answer.ok) return answer;
      const piece = answer.value ?? (await extractWithin(sources, tokens, this.#deps));
      if (piece === undefined) return err({ code: "CANCELLED" });
      pieces.push({ text: piece, sources });
      this.#progress.done(sources.length, Math.max(0, chunk.tokens - this.#asker.tokensOf(piece)));
    }
    return ok(pieces);
  }

  /** Merges as many notes as fit one request, repeatedly, until one is left or no two fit together. */
  async #merge(pieces: readonly Piece[], room: number): Promise<Result<string, ForgeError>> {
    let notes = pieces;
    for (;;) {
      const sized = notes.map((piece) => ({ ...piece, tokens: this.#asker.tokensOf(piece.text) + NOTE_FRAME }));
      const total = sized.reduce((sum, { tokens }) => sum + tokens, 0);
      const groups = groupsThatFit(sized, room);
      if (groups.length === notes.length) return ok(notes.map(({ text }) => text).join("\n\n"));
      const merged: Piece[] = [];
      for (const group of groups) {
        const texts = group.map(({ text }) => text);
        const groupTokens = group.reduce((sum, { tokens }) => sum + tokens, 0);
        const tokens = share(this.#notesTokens, groupTokens, total);
        const sources = group.flatMap((piece) => piece.sources);
        const answer =
          texts.length === 1 ? ok(texts[0]) : await this.#ask(transcriptOfNotes(texts), tokens, NOTES, sources);
        if (!answer.ok) return answer;
        merged.push({ text: answer.value ?? this.#shortened(texts, tokens), sources });
      }
      notes = merged;
    }
  }

  async #ask(
    transcript: string,
    notesTokens: number,
    holds: Question["holds"],
    sources: readonly ReadSource[],
  ): Promise<Result<string | undefined, ForgeError>> {
    const judge: Judge = (notes, stopReason) =>
      judgedNotes({ notes, stopReason }, { sources, notesTokens }, this.#deps);
    const isTooLong: Question["isTooLong"] = () => answerTooLongCheck(notesTokens * TOLERANCE, this.#deps.counter);
    const answer = await this.#asker.ask({ transcript, notesTokens, holds, isTooLong }, judge);
    if (answer.ok && answer.value !== undefined) this.#isByModel = true;
    return answer;
  }

  #shortened(texts: readonly string[], tokens: number): string {
    const each = Math.max(1, Math.floor(tokens / texts.length));
    return texts.map((text) => beginningThatFits(text, { cl100k: each, o200k: each }, this.#deps.counter)).join("\n\n");
  }
}

/** Notes on some of the sources. */
interface Piece {
  readonly text: string;
  readonly sources: readonly ReadSource[];
}

/** An extract of at most `tokens`; `undefined` when cancelled. */
async function extractWithin(
  sources: readonly ReadSource[],
  tokens: number,
  deps: NotesServices,
): Promise<string | undefined> {
  const from = await inSlices(extractSource(sources), deps);
  if (!from.ok) return undefined;
  const limit = { cl100k: tokens, o200k: tokens };
  const extract = await inSlices(extractNotes(from.value, tokens, limit, deps.counter), deps);
  return extract.ok ? extract.value : undefined;
}

const WHOLE = { kind: "whole" } as const;
const NOTES = { kind: "notes" } as const;
/** Tokens of the heading of each notes in a merge request. */
const NOTE_FRAME = 8;

function share(notesTokens: number, tokens: number, total: number): number {
  return Math.max(
    Math.min(SMALLEST_PIECE_TOKENS, notesTokens),
    Math.floor((notesTokens * tokens) / Math.max(1, total)),
  );
}

/** Groups neighbours that fit one request together, greedily in a single pass. */
export function groupsThatFit<T extends { readonly tokens: number }>(
  pieces: readonly T[],
  roomTokens: number,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let left = 0;
  for (const piece of pieces) {
    const group = groups.at(-1);
    if (group !== undefined && piece.tokens <= left) {
      group.push(piece);
      left -= piece.tokens;
    } else {
      groups.push([piece]);
      left = roomTokens - piece.tokens;
    }
  }
  return groups;
}
