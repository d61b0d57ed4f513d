/** Reads an untrusted document. The first fault is recorded with its path; values read after it are placeholders. */

import { beginningOf, shorten } from "../cutText.ts";
import { validationError, type ValidationError } from "../errors.ts";
import { isDeeplyNested, MOST_NESTING } from "../json.ts";

/** The last moment of a `Date`. */
export const LATEST_MS = 8_640_000_000_000_000;

/** A value of the document and its path. */
export interface LocatedValue {
  readonly value: unknown;
  readonly path: string;
}

/** Never throws. */
export class DocumentReader {
  fault: ValidationError | undefined;

  /** Records a fault, unless one is recorded already. */
  refuse({ value, path }: LocatedValue, expected: string): void {
    this.fault ??= validationError(path, describeValue(value), expected);
  }

  /** Fields of an object that has all of `required`, may have those in `optional`, and has no others. */
  fields<Required extends string, Optional extends string = never>(
    place: LocatedValue,
    required: readonly Required[],
    optional: readonly Optional[] = [],
  ): Record<Required, LocatedValue> & Partial<Record<Optional, LocatedValue>> {
    const { value, path } = place;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isObject) this.refuse(place, "an object");
    const found: object = isObject ? value : {};
    for (const name of Object.keys(found)) {
      if (isNameIn(required, name) || isNameIn(optional, name)) continue;
      const unknown: unknown = Reflect.get(found, name);
      this.refuse({ value: unknown, path: `${path}.${beginningOf(name, LONGEST_SHOWN)}` }, "no such field");
    }
    const places: Record<string, LocatedValue> = {};
    for (const name of required) {
      const isThere = Object.hasOwn(found, name);
      places[name] = { value: isThere ? Reflect.get(found, name) : undefined, path: `${path}.${name}` };
      if (isObject && !isThere) this.refuse(places[name], "to be there");
    }
    for (const name of optional) {
      if (Object.hasOwn(found, name)) places[name] = { value: Reflect.get(found, name), path: `${path}.${name}` };
    }
    return places as Record<Required, LocatedValue> & Partial<Record<Optional, LocatedValue>>;
  }

  /** Items of a list, mapped by `read` up to the first fault. Empty for anything but a list of at most `most` items. */
  each<T>(place: LocatedValue, read: (item: LocatedValue) => T, most = Infinity): T[] {
    const { path } = place;
    const items: readonly unknown[] = Array.isArray(place.value) ? place.value : [];
    if (!Array.isArray(place.value)) this.refuse(place, "a list");
    if (items.length > most) this.refuse(place, `at most ${String(most)}`);
    const made: T[] = [];
    for (let index = 0; index < items.length && this.fault === undefined; index++) {
      made.push(read({ value: items[index], path: `${path}[${String(index)}]` }));
    }
    return made;
  }

  text(place: LocatedValue): string {
    if (typeof place.value === "string") return place.value;
    this.refuse(place, "text");
    return "";
  }

  /** A value of any shape, as JSON. */
  json(place: LocatedValue): string {
    if (!isDeeplyNested(place.value)) return JSON.stringify(place.value);
    this.refuse(place, `at most ${String(MOST_NESTING)} lists and objects inside each other`);
    return "{}";
  }

  /** Milliseconds since 1970, of a moment that a `Date` can hold. */
  timeMs(place: LocatedValue): number {
    return this.whole(place, 0, LATEST_MS);
  }

  /** A safe integer from `least` to `most`. */
  whole(place: LocatedValue, least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const { value } = place;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    this.refuse(place, rangeText(least, most === Number.MAX_SAFE_INTEGER ? Infinity : most));
    return least;
  }

  /** A finite number, not negative. */
  amount(place: LocatedValue, most = Infinity): number {
    return this.number(place, 0, most);
  }

  number(place: LocatedValue, least: number, most: number): number {
    const { value } = place;
    if (typeof value === "number" && Number.isFinite(value) && value >= least && value <= most) return value;
    this.refuse(place, `a number, ${rangeText(least, most)}`);
    return least;
  }

  word<Word extends string>(place: LocatedValue, words: readonly [Word, ...Word[]]): Word {
    const found = words.find((word) => word === place.value);
    if (found === undefined) this.refuse(place, words.join(" or "));
    return found ?? words[0];
  }

  /** A flag that is only ever stored as `true`. */
  yes(place: LocatedValue): true {
    if (place.value !== true) this.refuse(place, "true");
    return true;
  }

  /** An optional field, as `{ [name]: value }`; `{}` when it is absent. */
  maybe<Name extends string, T>(
    name: Name,
    place: LocatedValue | undefined,
    read: (place: LocatedValue) => T,
  ): Partial<Record<Name, T>> {
    return place === undefined ? {} : ({ [name]: read(place) } as Record<Name, T>);
  }
}

function isNameIn(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** "0 to 16", and "0 or more, at most …" for a bound that nothing real comes near. */
function rangeText(least: number, most: number): string {
  if (most <= 1_000_000_000) return `${String(least)} to ${String(most)}`;
  return `${String(least)} or more${most === Infinity ? "" : `, at most ${String(most)}`}`;
}

/** A value for an error message, of bounded length; lists and objects only by size, as they may nest without end. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return `a list of ${String(value.length)}`;
  if (typeof value === "object" && value !== null) return `an object of ${String(Object.keys(value).length)} fields`;
  const json = JSON.stringify(typeof value === "string" ? beginningOf(value, LONGEST_SHOWN) : value);
  return shorten(json, LONGEST_SHOWN);
}

const LONGEST_SHOWN = 60;
