/** Progress of writing notes: by chunks done, and within a chunk by the length of the answer so far. */

import type { SummaryProgress } from "./summaryRequest.ts";

/** Approximate UTF-16 units per token. */
const UNITS_A_TOKEN = 4;
/** An answer may exceed its target length; until it ends, it counts as at most this share done. */
const MOST_OF_AN_ANSWER = 0.95;
/** Share of the chunks when their notes have to be merged afterwards. */
const SHARE_OF_PIECES = 0.85;

export class NotesProgress {
  readonly #report: (progress: SummaryProgress) => void;
  readonly #itemsTotal: number;
  readonly #tokens: readonly number[];
  #itemsDone = 0;
  #piecesDone = 0;
  #tokensSaved = 0;

  /** `pieceTokens`: size of each chunk. */
  constructor(pieceTokens: readonly number[], itemsTotal: number, report: (progress: SummaryProgress) => void) {
    this.#tokens = pieceTokens;
    this.#itemsTotal = itemsTotal;
    this.#report = report;
  }

  /** `units` of the answer for the next chunk, or for a merge, have arrived; about `aimTokens` are expected. */
  wrote(units: number, aimTokens: number): void {
    const written = Math.min(MOST_OF_AN_ANSWER, units / (UNITS_A_TOKEN * Math.max(1, aimTokens)));
    this.#tell(written);
  }

  done(items: number, tokensSaved: number): void {
    this.#piecesDone++;
    this.#itemsDone += items;
    this.#tokensSaved += tokensSaved;
    this.#tell(0);
  }

  #tell(written: number): void {
    const all = this.#tokens.reduce((sum, tokens) => sum + tokens, 0);
    const done = this.#tokens.slice(0, this.#piecesDone).reduce((sum, tokens) => sum + tokens, 0);
    const now = (this.#tokens[this.#piecesDone] ?? 0) * written;
    const ofPieces = (done + now) / Math.max(1, all);
    const isMerging = this.#piecesDone === this.#tokens.length;
    const share =
      this.#tokens.length === 1
        ? ofPieces * MOST_OF_AN_ANSWER
        : ofPieces * SHARE_OF_PIECES + (isMerging ? (1 - SHARE_OF_PIECES) * written : 0);
    const [itemsDone, itemsTotal, tokensSaved] = [this.#itemsDone, this.#itemsTotal, this.#tokensSaved];
    this.#report({ itemsDone, itemsTotal, tokensSaved, share });
  }
}
