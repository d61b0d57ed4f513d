/** A copy without some fields. */
export function omit<T extends object, Name extends keyof T>(object: T, ...names: readonly Name[]): Omit<T, Name> {
  const left: Partial<T> = { ...object };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left as Omit<T, Name>;
}
