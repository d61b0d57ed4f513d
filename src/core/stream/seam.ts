/**
 * The seam between an answer that was cut and its rest, while the rest streams in: removes what the rest repeats. Text is
 * held back only as long as it may still be a repetition, which ends at the latest with that of the whole answer.
 */

import { closingFence } from "../documents/openFence.ts";

/**
 * How the model was made to go on. `given`: its answer was given again at the end of the request, to a server that is
 * known to go on with it; `tried`: to one that may begin a new answer. `asked`: in words.
 */
export type Continuation = "given" | "tried" | "asked";

/** Longest repeated end of an answer that is looked for, in UTF-16 units. */
const LONGEST_OVERLAP = 2_000;
/** Repetition of the beginning of an answer that is no coincidence, in UTF-16 units. */
const LEAST_RESTART = 24;
/** Weight of an overlap that is no coincidence; a character without an alphabet counts as three. */
const LEAST_OVERLAP = 12;
/** Longest line that opens a code block again, in UTF-16 units. */
const LONGEST_FENCE_LINE = 80;

interface Joint {
  /** Part of the text so far that is shown. */
  readonly text: string;
  /** A new answer instead of the rest. */
  readonly restarts?: boolean;
}

export class Seam {
  /** The answer so far, without white space at its end. */
  readonly #answer: string;
  /** That white space. */
  readonly #space: string;
  readonly #how: Continuation;
  readonly #isInFence: boolean;
  #held = "";
  /** Units of `#held` that repeat the answer from its beginning; -1: it does not. */
  #echoed = 0;
  #isOver = false;
  #restarts = false;

  constructor(answer: string, how: Continuation) {
    this.#answer = answer.trimEnd();
    this.#space = answer.slice(this.#answer.length);
    this.#how = how;
    this.#isInFence = closingFence(answer) !== "";
  }

  /** True when the model began a new answer. */
  get restarts(): boolean {
    return this.#restarts;
  }

  /** The text that can be shown after `text` has arrived. */
  add(text: string): string {
    if (this.#isOver) return text;
    if (this.#echoed >= 0) this.#matchEcho(text);
    this.#held += text;
    return this.#show(this.#joint(false));
  }

  /** The text that was held back. */
  end(): string {
    return this.#isOver ? "" : this.#show(this.#joint(true));
  }

  #show(joint: Joint | undefined): string {
    if (joint === undefined) return "";
    this.#isOver = true;
    this.#held = "";
    this.#restarts = joint.restarts === true;
    return joint.text;
  }

  /** Compares only what is new, so that a long repetition in small pieces is read once. */
  #matchEcho(text: string): void {
    const compared = text.slice(0, this.#answer.length - this.#echoed);
    if (this.#answer.startsWith(compared, this.#echoed)) this.#echoed += compared.length;
    else
      this.#echoed = this.#echoed + commonLength(this.#answer.slice(this.#echoed), compared) >= LEAST_RESTART ? -2 : -1;
  }

  /** `undefined`: more text must come to decide. */
  #joint(isEnd: boolean): Joint | undefined {
    const held = this.#held;
    if (held === "") return isEnd ? { text: "" } : undefined;
    if (this.#echoed >= 0 && this.#echoed === this.#answer.length)
      return this.#afterSpace(held.slice(this.#echoed), isEnd);
    if (this.#echoed >= 0 && !isEnd) return undefined;
    if (this.#how === "given") return this.#afterSpace(held, isEnd);
    const isRestart = this.#echoed === -2;
    return this.#how === "tried" ? this.#tried(held, isEnd, isRestart) : this.#asked(held, isEnd, isRestart);
  }

  /** `rest` after the white space that the answer ends with already. */
  #afterSpace(rest: string, isEnd: boolean): Joint | undefined {
    if (!isEnd && rest.length < this.#space.length && this.#space.startsWith(rest)) return undefined;
    return { text: rest.slice(commonLength(this.#space, rest)) };
  }

  #tried(held: string, isEnd: boolean, isRestart: boolean): Joint | undefined {
    if (isRestart) return { text: this.#gap(held) + held, restarts: true };
    const overlap = this.#overlap(held, isEnd);
    if (overlap === undefined) return undefined;
    if (overlap >= LEAST_OVERLAP) return this.#afterSpace(held.slice(overlap), isEnd);
    if (this.#isInFence || this.#space !== "") return this.#afterSpace(held, isEnd);
    if (/[.,;:!?]$/.test(this.#answer) && /^\p{Lu}/u.test(held)) return { text: this.#gap(held) + held };
    if (!/\p{Ll}$/u.test(this.#answer)) return { text: held };
    // A model that goes on with a word of its own begins with a space; one that begins anew, with a capital.
    if (!isEnd && /^\p{Lu}[\p{L}’']*$/u.test(held)) return undefined;
    const restarts = /^\p{Lu}[\p{L}’']*[\s,!.]/u.test(held);
    return restarts ? { text: this.#gap(held) + held, restarts } : { text: held };
  }

  #asked(given: string, isEnd: boolean, isRestart: boolean): Joint | undefined {
    const held = this.#withoutOpening(given, isEnd);
    if (held === undefined || (held === "" && !isEnd)) return undefined;
    if (isRestart) return { text: this.#gap(held) + held };
    const overlap = this.#overlap(held, isEnd);
    if (overlap === undefined) return undefined;
    if (overlap > 0) return this.#afterSpace(held.slice(overlap), isEnd);
    const text = this.#afterSpace(held, isEnd)?.text;
    return text === undefined ? undefined : { text: this.#gap(text) + text };
  }

  /** Without dots, and without a line that opens the code block again, in which the answer was cut. */
  #withoutOpening(held: string, isEnd: boolean): string | undefined {
    if (!isEnd && /^[\s.…]*$/.test(held) && held.length < 4) return undefined;
    const text = /\.\.\.$|…$/.test(this.#answer) ? held : held.replace(/^\s{0,4}(?:\.\.\.|…) ?/, "");
    if (!this.#isInFence || !/^\s{0,4}(?:`|~)/.test(text)) return text;
    if (!isEnd && !text.trimStart().includes("\n") && text.length <= LONGEST_FENCE_LINE) return undefined;
    const opening = /^(\s{0,4})(?:`{3,}|~{3,})([^\n]*)\n/.exec(text);
    if (opening === null) return text;
    // Without a language it may close the block, which begins a line.
    const isClosing = opening[2]?.trim() === "" && (this.#space + String(opening[1])).includes("\n");
    return isClosing ? text : text.slice(opening[0].length);
  }

  /** Length of the end of the answer that `held` begins with; 0 for none, `undefined` while it may grow. */
  #overlap(held: string, isEnd: boolean): number | undefined {
    const tail = this.#answer.slice(-LONGEST_OVERLAP);
    const { length, isWithin } = prefixAtEnd(held.slice(0, LONGEST_OVERLAP), tail);
    if (isWithin && !isEnd && held.length < LONGEST_OVERLAP) return undefined;
    // The last word, or a part of it, that is not yet whole in `held`.
    if (length === held.length && !isEnd && length > 0) return undefined;
    return isRepetition(tail, held, length, this.#how) ? length : 0;
  }

  /** A space where both words would run together. Models that are asked in words begin without one. */
  #gap(text: string): string {
    if (this.#isInFence || this.#space !== "" || !/^[\p{L}\p{N}]/u.test(text) || NO_SPACES.test(text.slice(0, 1)))
      return "";
    const last = this.#answer.slice(-1);
    if (/[,;:!?]/.test(last) || (last === "." && /^\p{Lu}/u.test(text))) return " ";
    if (!/\p{L}/u.test(last) || NO_SPACES.test(last)) return "";
    const word = /[\p{L}\p{M}’']+$/u.exec(this.#answer.slice(-100))?.[0] ?? "";
    const next = /^[\p{L}\p{M}’']+/u.exec(text.slice(0, 100))?.[0] ?? "";
    const before = this.#answer.slice(-20_000, -word.length);
    return !hasWord(before, word) && hasWord(before, word + next) ? "" : " ";
  }
}

/** Scripts that put no space between words. */
const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** True when the first `length` units of `held` repeat the end of `tail`, and are no coincidence. */
function isRepetition(tail: string, held: string, length: number, how: Continuation): boolean {
  const shared = held.slice(0, length);
  const signs = new Set(shared);
  const isText = signs.size >= 4 && /\p{L}/u.test(shared);
  const weight = length + 2 * (shared.match(new RegExp(NO_SPACES, "gu")) ?? []).length;
  const startsWord = !isWordPart(tail.at(-length - 1)) || !isWordPart(shared.at(0));
  if (isText && weight >= LEAST_OVERLAP) return startsWord || how === "asked";
  // One word, or the part of it that was written: without this it would stand there twice.
  return how === "asked" && length >= 2 && startsWord && /^[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*$/u.test(shared);
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0 && word !== ""; at = text.indexOf(word, at + word.length)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true;
  }
  return false;
}

/**
 * The longest beginning of `pattern` at the end of `text`, and whether the whole of it lies within `text` before that
 * end (Knuth, Morris, Pratt).
 */
function prefixAtEnd(pattern: string, text: string): { readonly length: number; readonly isWithin: boolean } {
  const borders = [0];
  let state = 0;
  const step = (character: string | undefined): void => {
    while (state > 0 && pattern[state] !== character) state = borders[state - 1] ?? 0;
    if (pattern[state] === character) state++;
  };
  for (let at = 1; at < pattern.length; at++) {
    step(pattern[at]);
    borders.push(state);
  }
  state = 0;
  let isWithin = false;
  for (let at = 0; at < text.length; at++) {
    if (state === pattern.length) state = borders[state - 1] ?? 0;
    step(text[at]);
    if (state === pattern.length && at < text.length - 1) isWithin = true;
  }
  return { length: state, isWithin };
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
