/** Expected failures are values. Only a bug throws. */

export type Result<T, E> = Ok<T> | Err<E>;
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}
export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}

/** Makes the compiler prove that every case of a union was handled; throws when the data lied about its type. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}

/** Throws when `condition` is false, which is a bug and no expected failure. */
export function invariant(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${what}`);
}
