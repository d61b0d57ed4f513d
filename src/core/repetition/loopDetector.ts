/**
 * Finds a model that repeats itself, while its answer is streamed: a unit of 1 to 2,000 characters that comes again and
 * again, also with a running number ("Step 41", "Step 42"). Linear in the text, of fixed size, and the same however the
 * text is cut into pieces.
 *
 * The text is read as symbols: a number is one symbol, whatever its digits; all else is one per UTF-16 unit. A loop of
 * period p is a stretch in which each symbol is that of p before. Such a stretch has no new sequence of `GRAM` symbols:
 * that is looked at for each symbol. Only where nothing was new for long are the periods measured, by a Z function.
 */

import { DATA, MarkdownArea, PROSE } from "./markdownArea.ts";
import { digitOf, Numeral } from "./numerals.ts";

export interface Loop {
  /** UTF-16 offsets in the whole text. The unit first came at `start`. */
  readonly start: number;
  readonly end: number;
  /** End of the last whole unit. */
  readonly unitsEnd: number;
  /** UTF-16 units of the first one. */
  readonly unitLength: number;
  /** How often the unit came, the first time included. */
  readonly times: number;
  /** True when a number in it runs on. */
  readonly isRunning: boolean;
  /** `data`: in a fence, a table or a list of data, which can rightly repeat. */
  readonly where: "prose" | "data";
  /** Offset at which it was seen. */
  readonly seenAt: number;
}

export interface LoopLimits {
  /** Take fences and tables for prose, as in notes, which need none that repeat. */
  readonly everywhere?: boolean;
  /** Least UTF-16 units of a loop in prose. */
  readonly leastUnits?: number;
}

const MAX_PERIOD = 2_000;
/** Least repetitions; with the steps of `STEP_UNITS`, a loop is seen before the fifth is complete. */
const LEAST_TIMES = 4.5;
/** Shorter texts hold no loop. */
export const LEAST_UNITS = 1_300;
const LEAST_DATA_UNITS = 8_200;
/** Share of the least units without a new sequence after which periods are measured; a loop has more. */
const LEAST_KNOWN = 0.69;
/** UTF-16 units from one measuring to the next. */
const STEP_UNITS = 64;
const DATA_STEP_UNITS = 512;
/**
 * Share of the steps of a running number that may deviate: seconds go from 59 to 0, and decimals from 1.9 to 2.0. Lists
 * of data have numbers that deviate more often.
 */
const MOST_DEVIATING = 0.25;
const MOST_DEVIATING_IN_DATA = 0.1;
/** Units in a row with a number that deviates, with which a loop ends: a jump from 59 to 0 deviates in two. */
const DEVIATING_UNITS = 4;

const LAST_NUMBERS = 32;

const GRAM = 8;
const HASH_FACTOR = 0x01_00_01_93;
/** Spreads a hash over the high bits, of which `HASH_BITS` are used. */
const HASH_MIX = 0x9e_37_79_b1;
const HASH_BITS = 13;
/** `HASH_FACTOR` to the power of `GRAM`, to take the oldest symbol out of a hash. */
const OLDEST_FACTOR = Array.from({ length: GRAM }).reduce<number>((power) => Math.imul(power, HASH_FACTOR), 1);

/** A noncharacter stands for a number. */
const NUMBER = 0xffff;
/** Longer numbers are read digit by digit from there on: they are no counters, and can be loops themselves. */
const LONGEST_NUMBER = 20;

/** Symbols in memory: five repetitions of the longest unit, at least. */
const KEPT = 12_288;
const CAPACITY = 2 * KEPT;

interface OpenLoop {
  /** Number of its first symbol, counted from the beginning of the text, and the symbols of a unit. */
  readonly first: number;
  readonly period: number;
  readonly start: number;
  readonly unitLength: number;
  readonly seenAt: number;
  readonly where: Loop["where"];
  readonly isRunning: boolean;
  unitsEnd: number;
  /** Deviating number in the current unit, and the units in a row that have one. */
  deviates: boolean;
  deviating: number;
}

/** The end of a loop, as far as its numbers run on evenly. */
interface EvenPart {
  /** Index of its first symbol. */
  readonly start: number;
  readonly isRunning: boolean;
}

export class LoopDetector {
  readonly #everywhere: boolean;
  readonly #leastUnits: number;
  readonly #area = new MarkdownArea();
  readonly #number = new Numeral();
  /** UTF-16 units read. */
  #units = 0;

  readonly #symbols = new Uint16Array(CAPACITY);
  readonly #values = new Int32Array(CAPACITY);
  /** Where each symbol begins in the text. */
  readonly #offsets = new Int32Array(CAPACITY);
  /** Symbols in the arrays, and the older ones that are no longer in them. */
  #length = 0;
  #dropped = 0;
  #lastProse = -1;
  #lastData = -1;

  /** Where each sequence was seen last, by its hash. */
  readonly #lastSeen = new Int32Array(1 << HASH_BITS).fill(-MAX_PERIOD - 1);
  #hash = 0;
  /** Symbols in a row without a new sequence. */
  #known = 0;

  readonly #matching = new Int32Array(MAX_PERIOD + 1);
  readonly #steps = new Int32Array(MAX_PERIOD);
  readonly #deviations = new Int32Array(MAX_PERIOD);
  readonly #ended: Loop[] = [];
  #open: OpenLoop | undefined;

  constructor({ everywhere = false, leastUnits = LEAST_UNITS }: LoopLimits = {}) {
    this.#everywhere = everywhere;
    this.#leastUnits = leastUnits;
  }

  /** The loop that the text ends with. */
  get current(): Loop | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    const times = Math.floor((this.#dropped + this.#length - open.first) / open.period);
    return loopOf(open, { end: this.#units, times });
  }

  /** All loops, oldest first. */
  get loops(): readonly Loop[] {
    const { current } = this;
    return current === undefined ? this.#ended : [...this.#ended, current];
  }

  push(text: string): void {
    for (let index = 0; index < text.length; index++) this.#read(text.charCodeAt(index));
  }

  #read(unit: number): void {
    const area = this.#area.push(unit);
    const digit = digitOf(unit);
    if (digit < 0) {
      if (this.#number.length > 0) this.#number.clear();
      this.#append(unit, 0);
    } else if (this.#number.length === LONGEST_NUMBER) this.#append(unit, 0);
    else {
      this.#number.push(digit);
      if (this.#number.length === 1) this.#append(NUMBER, digit);
      else this.#values[this.#length - 1] = this.#number.value;
    }
    if (area === PROSE) this.#lastProse = this.#dropped + this.#length;
    else if (area === DATA) this.#lastData = this.#dropped + this.#length;
    this.#units++;
    if (this.#open !== undefined) return;
    const isData = !this.#everywhere && !this.#isProse(MAX_PERIOD);
    const step = isData ? DATA_STEP_UNITS : STEP_UNITS;
    if (this.#units % step === 0) this.#measure();
  }

  #append(symbol: number, value: number): void {
    if (this.#length === CAPACITY) this.#dropOldest();
    const at = this.#length;
    const symbols = this.#symbols;
    symbols[at] = symbol;
    this.#values[at] = value;
    this.#offsets[at] = this.#units;
    this.#length++;
    if (this.#open !== undefined) this.#follow(this.#open, at);

    const oldest = at >= GRAM ? (symbols[at - GRAM] ?? 0) : 0;
    this.#hash = (Math.imul(this.#hash, HASH_FACTOR) + symbol - Math.imul(oldest, OLDEST_FACTOR)) | 0;
    const slot = Math.imul(this.#hash, HASH_MIX) >>> (32 - HASH_BITS);
    const number = this.#dropped + at;
    this.#known = number - (this.#lastSeen[slot] ?? 0) <= MAX_PERIOD ? this.#known + 1 : 0;
    this.#lastSeen[slot] = number;
  }

  #dropOldest(): void {
    for (const array of [this.#symbols, this.#values, this.#offsets]) array.copyWithin(0, CAPACITY - KEPT);
    this.#dropped += CAPACITY - KEPT;
    this.#length = KEPT;
  }

  /** Adds the symbol at `at` to the loop, or ends it there. */
  #follow(open: OpenLoop, at: number): void {
    const { period } = open;
    const count = this.#dropped + at - open.first;
    // A number is complete when the next symbol begins.
    if (this.#symbols[at - 1] === NUMBER)
      open.deviates ||= this.#step(at - 1, period) !== this.#step(at - 1 - period, period);
    if (count % period === 0) {
      open.deviating = open.deviates ? open.deviating + 1 : 0;
      open.deviates = false;
      if (open.deviating === 0) open.unitsEnd = this.#units;
    }
    const isSame = this.#symbols[at] === this.#symbols[at - period];
    if (isSame && open.deviating < DEVIATING_UNITS) return;
    this.#open = undefined;
    this.#known = 0;
    const isEven = open.deviating === 0;
    const times = Math.floor(count / period) - open.deviating;
    this.#ended.push(loopOf(open, { end: isEven ? this.#units : open.unitsEnd, times }));
  }

  /** Opens the loop of the smallest period with which the text ends. */
  #measure(): void {
    const length = this.#length;
    if (this.#known === 0 || this.#unitsFrom(length - this.#known) < LEAST_KNOWN * this.#leastUnits) return;
    const oldest = Math.max(0, length - KEPT);
    this.#matchPeriods(oldest);
    for (let period = 1; period <= MAX_PERIOD && LEAST_TIMES * period <= length - oldest; period++) {
      const symbols = (this.#matching[period] ?? 0) + period;
      if (symbols < LEAST_TIMES * period || this.#unitsFrom(length - symbols) < this.#leastUnits) continue;
      const found = this.#classify(period, length - symbols);
      if (found === undefined) continue;
      this.#begin(found.where, period, found.part);
      return;
    }
  }

  /** Z function of the text read backwards: for each period, how many symbols at the end are those of a period before. */
  #matchPeriods(oldest: number): void {
    const symbols = this.#symbols;
    const matching = this.#matching;
    const last = this.#length - 1;
    let [from, to] = [0, 0];
    for (let period = 1; period <= MAX_PERIOD; period++) {
      let match = period < to ? Math.min(to - period, matching[period - from] ?? 0) : 0;
      while (last - period - match >= oldest && symbols[last - match] === symbols[last - period - match]) match++;
      matching[period] = match;
      if (period + match > to) [from, to] = [period, period + match];
    }
  }

  /** The loop from index `start` to the end; `undefined`: nothing to speak of. */
  #classify(period: number, start: number): { where: Loop["where"]; part: EvenPart } | undefined {
    const isProse = this.#everywhere || this.#isProse(period);
    const least = isProse ? this.#leastUnits : LEAST_DATA_UNITS;
    if (this.#unitsFrom(start) < least) return undefined;
    const where = isProse ? "prose" : "data";
    const part = this.#evenPart(period, start, where);
    if (part !== undefined) return { where, part };
    // A list of data outside fences and tables: its lines are alike, and its numbers are not.
    if (isProse && this.#unitsFrom(start) >= LEAST_DATA_UNITS)
      return { where: "data", part: { start, isRunning: false } };
    return undefined;
  }

  /** True when a unit of `period` symbols at the end has prose in it. */
  #isProse(period: number): boolean {
    const before = this.#dropped + this.#length - period;
    return this.#lastProse > before || (this.#lastData <= before && !this.#area.isData);
  }

  /** `undefined` unless at least `leastUnits` and `LEAST_TIMES` periods of the loop run on evenly. */
  #evenPart(period: number, start: number, where: Loop["where"]): EvenPart | undefined {
    const [leastUnits, mostDeviating] =
      where === "prose" ? [this.#leastUnits, MOST_DEVIATING] : [LEAST_DATA_UNITS, MOST_DEVIATING_IN_DATA];
    if (this.#isList(period, start)) return undefined;
    const length = this.#length;
    const symbols = this.#symbols;
    // Steps of each number of a unit, and those that deviate.
    const steps = this.#steps.fill(0, 0, period);
    const deviations = this.#deviations.fill(0, 0, period);
    let isRunning = false;
    let at = length - 2; // the last number may go on
    for (; at >= start + 2 * period; at--) {
      if (symbols[at] !== NUMBER) continue;
      const step = this.#step(at, period);
      const slot = (length - at) % period;
      steps[slot] = (steps[slot] ?? 0) + 1;
      isRunning ||= step !== 0;
      if (step === this.#step(at - period, period)) continue;
      const first = at - 2 * period + 1;
      if (length - first >= LEAST_TIMES * period && this.#unitsFrom(first) >= leastUnits) break;
      deviations[slot] = (deviations[slot] ?? 0) + 1;
    }
    for (let slot = 0; slot < period; slot++)
      if ((deviations[slot] ?? 0) > mostDeviating * (steps[slot] ?? 0)) return undefined;
    return { start: at - 2 * period + 1, isRunning };
  }

  /** True when most of the last numbers deviate: spares the work for the many periods of a list of data. */
  #isList(period: number, start: number): boolean {
    let [numbers, deviating] = [0, 0];
    for (let at = this.#length - 2; at >= start + 2 * period && numbers < LAST_NUMBERS; at--) {
      if (this.#symbols[at] !== NUMBER) continue;
      numbers++;
      if (this.#step(at, period) !== this.#step(at - period, period)) deviating++;
    }
    return deviating > LAST_NUMBERS / 2;
  }

  /** Difference of the number at `at` to the one a period before. */
  #step(at: number, period: number): number {
    return ((this.#values[at] ?? 0) - (this.#values[at - period] ?? 0)) | 0;
  }

  #begin(where: Loop["where"], period: number, { start, isRunning }: EvenPart): void {
    const offset = (index: number): number => (index < this.#length ? (this.#offsets[index] ?? 0) : this.#units);
    const times = Math.floor((this.#length - start) / period);
    const end = start + times * period;
    // A loop of a part of the unit, which ended where the unit did.
    while ((this.#ended.at(-1)?.start ?? -1) >= offset(start)) this.#ended.pop();
    this.#open = {
      first: this.#dropped + start,
      period,
      start: offset(start),
      unitLength: offset(start + period) - offset(start),
      seenAt: this.#units,
      where,
      isRunning,
      unitsEnd: offset(end),
      deviates: false,
      deviating: 0,
    };
  }

  /** UTF-16 units from the symbol at `index` to the end. */
  #unitsFrom(index: number): number {
    return this.#units - (this.#offsets[Math.max(0, index)] ?? 0);
  }
}

function loopOf(
  { start, unitsEnd, unitLength, isRunning, where, seenAt }: OpenLoop,
  { end, times }: Pick<Loop, "end" | "times">,
): Loop {
  return { start, end, unitsEnd, unitLength, times, isRunning, where, seenAt };
}
