/**
 * Unicode class of every character, as bit flags in one table; the pre-tokenizer needs no other lookup.
 *
 * The Basic Multilingual Plane is classified when the table is built, in steps; a page beyond it on first use.
 */

/** Lu and Lt. */
export const UPPER = 1;
/** Ll. */
export const LOWER = 2;
/** Lm and Lo: letters without case. */
export const CASELESS = 4;
/** N. */
export const NUMBER = 8;
/** White_Space. */
export const SPACE = 16;
/** Carriage return and line feed, which are SPACE as well. */
export const NEWLINE = 32;
/** M: combining marks, which are not letters. */
export const MARK = 64;
export const LETTER = UPPER | LOWER | CASELESS;

const CODE_POINTS = 0x110000;
const BMP = 0x10000;
/** Characters per lazily classified page beyond the BMP. */
const PAGE = 256;
/** Characters per step within the BMP, for one pattern. */
const BLOCK = 4096;

const PATTERNS: readonly (readonly [runs: RegExp, flag: number])[] = [
  [/[\p{Lu}\p{Lt}]+/gu, UPPER],
  [/\p{Ll}+/gu, LOWER],
  [/[\p{Lm}\p{Lo}]+/gu, CASELESS],
  [/\p{M}+/gu, MARK],
  [/\p{N}+/gu, NUMBER],
  [/\p{White_Space}+/gu, SPACE],
];

export class CharClasses {
  /** Flags of every UTF-16 unit, for inner loops; surrogates have none, see {@link at}. */
  readonly ofUnit = new Uint8Array(BMP);
  private readonly beyond = new Uint8Array(CODE_POINTS - BMP);
  private readonly isKnown = new Uint8Array((CODE_POINTS - BMP) / PAGE);

  /** Flags of the character at `index`, a surrogate pair taken as one; a lone surrogate has none. */
  at(text: string, index: number): number {
    const unit = text.charCodeAt(index);
    if (!isSurrogate(unit)) return this.ofUnit[unit] ?? 0;
    const codePoint = text.codePointAt(index) ?? 0;
    return codePoint < BMP ? 0 : this.beyondBmp(codePoint - BMP);
  }

  /** Classifies the BMP, pattern by pattern. */
  *classifyBmp(): Generator<void, void> {
    const blocks = Array.from({ length: BMP / BLOCK }, (_, block) => charactersFrom(block * BLOCK, BLOCK));
    for (const [runs, flag] of PATTERNS) {
      for (const [block, characters] of blocks.entries()) {
        yield;
        for (const match of characters.matchAll(runs)) {
          const first = block * BLOCK + match.index;
          this.ofUnit.fill(flag, first, first + match[0].length);
        }
      }
    }
    for (const newline of [10, 13]) this.ofUnit[newline] = SPACE | NEWLINE;
  }

  private beyondBmp(offset: number): number {
    const page = Math.floor(offset / PAGE);
    if (this.isKnown[page] === 0) this.classifyPage(page);
    return this.beyond[offset] ?? 0;
  }

  private classifyPage(page: number): void {
    this.isKnown[page] = 1;
    const characters = charactersFrom(BMP + page * PAGE, PAGE);
    for (const [runs, flag] of PATTERNS) {
      for (const match of characters.matchAll(runs)) {
        const first = page * PAGE + match.index / 2; // two units each
        this.beyond.fill(flag, first, first + match[0].length / 2);
      }
    }
  }
}

export function* buildCharClasses(): Generator<void, CharClasses> {
  const classes = new CharClasses();
  yield* classes.classifyBmp();
  return classes;
}

export function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

/** UTF-16 units, 1 or 2, of the character at `index`. */
export function widthAt(text: string, index: number): number {
  return isSurrogate(text.charCodeAt(index)) && (text.codePointAt(index) ?? 0) >= BMP ? 2 : 1;
}

/** Consecutive characters as a string; surrogates are replaced by NUL, so that no two form a pair. */
function charactersFrom(firstCodePoint: number, count: number): string {
  let characters = "";
  for (let codePoint = firstCodePoint; codePoint < firstCodePoint + count; codePoint++) {
    characters += isSurrogate(codePoint) ? "\0" : String.fromCodePoint(codePoint);
  }
  return characters;
}
