import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory, runNode } from "./command.ts";
import { packagedReadme } from "./packagedReadme.ts";
import { vsixFile } from "./vscode/installForge.ts";

/** Size limit of the published package, which every user downloads. */
export const vsixLimitBytes = 4 * 1024 * 1024;

/**
 * Builds and packages Forge into `forge.vsix`. Returns its size in bytes. Throws if a tool fails or warns (with its
 * output), or if the package is too large.
 */
export async function packageVsix(): Promise<number> {
  const vsce = `${projectDirectory}/node_modules/@vscode/vsce/vsce`;
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  const readme = "README.packaged.md"; // not in dist/, which the build empties
  const readmeFile = path.join(projectDirectory, readme);
  writeFileSync(readmeFile, packagedReadme(readFileSync(path.join(projectDirectory, "README.md"), "utf8")));
  options.push("--readme-path", readme);
  const { failure, output } = await runNode(vsce, ["package", ...options, "--out", vsixFile], { quiet: true });
  rmSync(readmeFile);
  if (failure !== "" || /\bWARNING\b/.test(output)) throw new Error(`packaging: ${failure}\n${output}`);
  const { size } = statSync(vsixFile);
  if (size > vsixLimitBytes) {
    throw new Error(`forge.vsix has ${size} bytes, and ${vsixLimitBytes} are allowed`);
  }
  return size;
}
