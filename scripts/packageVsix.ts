/** Makes the package that users install. */

import { statSync } from "node:fs";
import { projectDirectory, runNode } from "./command.ts";
import { vsixFile } from "./vscode/installForge.ts";

/** More than this is not published: everybody downloads it. */
export const vsixLimitBytes = 4 * 1024 * 1024;

/**
 * Builds and packages Forge into `forge.vsix`; returns its size in bytes. Throws with what the tools said when one fails,
 * when the packager warns of something, or when the package is too large.
 */
export async function packageVsix(): Promise<number> {
  const vsce = `${projectDirectory}/node_modules/@vscode/vsce/vsce`;
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  const { failure, output } = await runNode(vsce, ["package", ...options, "--out", vsixFile], { quiet: true });
  if (failure !== "" || /\bWARNING\b/.test(output)) throw new Error(`packaging: ${failure}\n${output}`);
  const { size } = statSync(vsixFile);
  if (size > vsixLimitBytes) {
    throw new Error(`forge.vsix has ${size} bytes, and ${vsixLimitBytes} are allowed`);
  }
  return size;
}
