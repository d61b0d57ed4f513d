/** Loads bundles of the page that not every conversation needs. */

/** Export `name` of the module at `address`, checked by `is`; null if it cannot be loaded. */
export async function loadFunction<T>(
  url: string,
  name: string,
  isValid: (value: unknown) => value is T,
): Promise<T | null> {
  if (url === "") return null;
  const module: unknown = await import(url).catch((error: unknown) => {
    reportError(error);
    return null;
  });
  const found: unknown = typeof module === "object" && module !== null ? Reflect.get(module, name) : undefined;
  return isValid(found) ? found : null;
}
