import { setTimeout as sleep } from "node:timers/promises";

/** Calls `probe` every 50 ms until it returns a value. Returns that, or `undefined` after `timeoutMs`. */
export async function until<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 30_000,
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined || performance.now() > end) return value;
    await sleep(50);
  }
}
