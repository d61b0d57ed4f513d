/** Expected failures are values. Only a bug throws. */

/** A success that holds a value, or a failure that holds an error. */
export type Result<T, E> = Ok<T> | Err<E>;
/** The successful half of a {@link Result}. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}
/** The failed half of a {@link Result}. */
export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Wraps a success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Wraps a failure. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}

/** Makes the compiler prove that every case of a union was handled; throws when the data lied about its type. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}

/** States what must hold; throws when it does not, because that is a bug and not bad luck. */
export function invariant(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${what}`);
}
