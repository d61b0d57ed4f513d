/**
 * Arguments of one call, from pieces that hold what is new, or the whole so far. A piece that repeats all that came
 * before may be either (`{"a":` may be nested in itself), so it is held back until the next piece decides.
 */

import { tryParseJson } from "../../../core/json.ts";

export class CallArguments {
  /** Without a piece that is still in doubt. */
  #json = "";
  readonly #objects = new ObjectScanner();
  /** Piece that repeats `#json` and goes on. */
  #doubtful: string | undefined;
  #repeats = false;
  /** Length of what was emitted. */
  #emitted = 0;

  /** Arguments as they are if nothing more comes. */
  get settled(): string {
    const whole = this.#doubtful;
    if (whole === undefined) return unquoted(this.#json);
    return isWholeObject(whole) ? whole : this.#json + whole;
  }

  get isEmpty(): boolean {
    return this.#json === "";
  }

  /** Whether a whole object has been received. */
  get isWhole(): boolean {
    return this.#objects.isWhole || (this.#doubtful !== undefined && isWholeObject(this.#doubtful));
  }

  /** Whether they are an object without fields, which some servers send first in place of the real ones. */
  get isPlaceholder(): boolean {
    return PLACEHOLDER.test(this.#json);
  }

  /** Whether its pieces are known to hold the whole so far. */
  get repeats(): boolean {
    return this.#repeats;
  }

  /** Whether `piece` repeats all that came before. */
  isRepeatedBy(piece: string): boolean {
    const known = this.#doubtful ?? this.#json;
    return known.trim() !== "" && (piece.startsWith(known) || (this.#repeats && known.startsWith(piece)));
  }

  add(piece: string): void {
    if (piece === "") return;
    const before = this.#doubtful;
    if (before !== undefined) {
      this.#doubtful = undefined;
      if (piece.startsWith(before)) this.#repeats = true;
      this.#append(piece.startsWith(before) ? before.slice(this.#json.length) : before);
    }
    const begins = BEGINS_OBJECT.test(this.#json);
    if (this.#repeats && (piece.startsWith(this.#json) || this.#json.startsWith(piece))) {
      this.#append(piece.slice(this.#json.length));
    } else if (begins && piece.startsWith(this.#json) && !this.#objects.isWhole) {
      this.#doubtful = piece;
    } else if (!this.#objects.isWhole) {
      this.#append(piece);
    } else if (BEGINS_OBJECT.test(piece) && this.#emitted === 0) {
      this.#replace(piece);
    }
    // Anything else after a whole object is noise.
  }

  /**
   * Returns what is new and certain. A whole object that came in one piece may still be replaced; so may text in quotes,
   * which may hold an object.
   */
  take(): string {
    if (this.#emitted === 0 && (this.#objects.isWhole || !BEGINS_OBJECT.test(this.#json))) return "";
    const more = this.#json.slice(this.#emitted);
    this.#emitted = this.#json.length;
    return more;
  }

  /** Returns the rest, at the end of the answer. */
  takeRest(): string {
    const settled = this.settled;
    const rest = settled.slice(this.#emitted);
    this.#doubtful = undefined;
    this.#json = settled;
    this.#emitted = settled.length;
    return rest;
  }

  #append(more: string): void {
    this.#json += more;
    this.#objects.add(more);
  }

  #replace(json: string): void {
    this.#json = "";
    this.#objects.reset();
    this.#append(json);
  }
}

const PLACEHOLDER = /^\s*\{\s*\}\s*$/;
const BEGINS_OBJECT = /^\s*\{/;

/** Whether `json` is an object that has ended, by its brackets. */
export function isWholeObject(json: string): boolean {
  const scanner = new ObjectScanner();
  scanner.add(json);
  return scanner.isWhole;
}

/** An object that a server sent as a string of JSON inside JSON. */
function unquoted(json: string): string {
  if (!/^\s*"/.test(json)) return json;
  const inner = tryParseJson(json);
  return typeof inner === "string" && isWholeObject(inner) ? inner : json;
}

/** Finds the end of an object in text that arrives in pieces. */
class ObjectScanner {
  #depth = 0;
  #hasBegun = false;
  #isInText = false;
  #isEscaped = false;

  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  add(json: string): void {
    for (const sign of json) {
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (sign === "\\") this.#isEscaped = true;
        else if (sign === '"') this.#isInText = false;
      } else if (sign === '"') {
        this.#isInText = true;
      } else if (sign === "{" || sign === "[") {
        this.#depth++;
        this.#hasBegun = true;
      } else if (sign === "}" || sign === "]") {
        this.#depth--;
      }
    }
  }

  reset(): void {
    this.#depth = 0;
    this.#hasBegun = this.#isInText = this.#isEscaped = false;
  }
}
