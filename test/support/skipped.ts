/** Tests that one machine cannot run: left out aloud, so that nobody takes them for passed. */

/** Leaves out the test or suite of `context` and prints why. Never returns. */
export function skip(context: Mocha.Context, why: string): never {
  console.log(`      skipped: ${why}`);
  return context.skip();
}

/** Leaves it out where links cannot be made. */
export function needsLinks(context: Mocha.Context): void {
  if (process.platform === "win32") skip(context, "links need a right that few users of Windows have");
}
