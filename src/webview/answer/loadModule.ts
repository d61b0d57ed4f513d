/** Loads a file of the page's own that not every conversation needs. */

/** The function `name` of the module at `address`; null where it cannot be loaded. `is` tells that it is one. */
export async function loadFunction<T>(
  address: string,
  name: string,
  is: (value: unknown) => value is T,
): Promise<T | null> {
  if (address === "") return null;
  const module: unknown = await import(address).catch((error: unknown) => {
    reportError(error);
    return null;
  });
  const found: unknown = typeof module === "object" && module !== null ? Reflect.get(module, name) : undefined;
  return is(found) ? found : null;
}
