const LIMIT_MS = 8_000;

/** Waits until `isSo` returns true. Throws after {@link LIMIT_MS}. */
export async function whenTrue(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`what was waited for did not come: ${isSo.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
