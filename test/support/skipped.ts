/** Skips tests that a machine cannot run with a printed reason, so that they do not seem passed. */

/** Skips the test or suite of `context` and prints the reason. Never returns. */
export function skip(context: Mocha.Context, why: string): never {
  console.log(`      skipped: ${why}`);
  return context.skip();
}

/** Skips it if symbolic links cannot be created. */
export function needsLinks(context: Mocha.Context): void {
  if (process.platform === "win32") skip(context, "links need a right that few users of Windows have");
}
