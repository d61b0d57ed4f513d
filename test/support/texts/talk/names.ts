/** Names for made-up projects, repeatable by seed. They share no list or pattern with the code under test. */

import { randomSource } from "../corpus.ts";

/** Repeatable random choices. */
export class Dice {
  readonly #below: (below: number) => number;

  constructor(seed: number) {
    this.#below = randomSource(seed * 7_919 + 17);
    for (let turn = 0; turn < 5; turn++) this.#below(2);
  }

  /** From 0 up to, but not including, `count`. */
  below(count: number): number {
    return this.#below(count);
  }

  /** From `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.#below(high - low + 1);
  }

  of<T>(choices: readonly T[]): T {
    const choice = choices[this.#below(choices.length)];
    if (choice === undefined) throw new Error("there is something to choose from");
    return choice;
  }

  /** True with a probability of `percent`. */
  chance(percent: number): boolean {
    return this.#below(100) < percent;
  }

  /** `length` hexadecimal digits, with at least one letter and one digit. */
  hex(length: number): string {
    const digits = Array.from({ length }, () => "0123456789abcdef"[this.#below(16)] ?? "0").join("");
    return `${digits.slice(0, -2)}${String(this.#below(10))}${"abcdef"[this.#below(6)] ?? "a"}`;
  }
}

const NOUNS =
  "ledger voucher tenant shard parcel beacon kernel lattice harbor fixture roster quota invoice sensor canvas glyph mixer sampler orbit probe genome primer reactor valve turbine pallet depot courier ticket seat fare route tariff meter grid feeder breaker patient chart dosage clinic lesson quiz grade pupil recipe pantry basket coupon refund chargeback wallet payout escrow bond trader ticker candle index margin broker payload envelope mailbox digest thread forum badge avatar theme palette sprite shader texture voxel collider camera joint armature".split(
    " ",
  );
const OTHERS =
  "sync import export merge replay audit retry rollback snapshot cleanup warmup throttle dispatch intake triage lookup preview upload resize crop encode decode parse render hydrate prefetch evict compact rotate renew revoke enroll approve reject settle reconcile forecast balance assign claim release reserve".split(
    " ",
  );
const SHORT = "api web core edge jobs admin ops data auth mail docs infra mobile cli sdk worker gateway proxy".split(
  " ",
);

/** A topic: two words that rarely occur together. */
export function topic(dice: Dice): string {
  return `${dice.of(NOUNS)} ${dice.of(OTHERS)}`;
}

export function noun(dice: Dice): string {
  return dice.of(NOUNS);
}

/** A short word for a service or a component. */
export function part(dice: Dice): string {
  return dice.of(SHORT);
}

function words(dice: Dice, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? dice.of(NOUNS) : dice.of(OTHERS)));
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `parcelImport` */
export function camel(dice: Dice, count = 2): string {
  return words(dice, count)
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join("");
}

/** `ParcelImport` */
export function pascal(dice: Dice, count = 2): string {
  return words(dice, count).map(capital).join("");
}

/** `parcel_import` */
export function snake(dice: Dice, count = 2): string {
  return words(dice, count).join("_");
}

/** `parcel-import` */
export function kebab(dice: Dice, count = 2): string {
  return words(dice, count).join("-");
}

/** `PARCEL_IMPORT` */
export function upper(dice: Dice, count = 2): string {
  return snake(dice, count).toUpperCase();
}
