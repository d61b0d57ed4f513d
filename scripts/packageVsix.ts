import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory, runNode } from "./command.ts";
import { packagedReadme } from "./packagedReadme.ts";
import { vsixFile } from "./vscode/installForge.ts";

/** Size limit of the published package, which every user downloads. */
export const vsixLimitBytes = 4 * 1024 * 1024;

/** Of all files in the package, so that two packagings of a commit are equal byte for byte. */
const FILES_TIME_SECONDS = Date.UTC(2026, 0, 1) / 1_000;

export interface PackagedForge {
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Builds and packages Forge into `forge.vsix`. Throws if a tool fails or warns (with its output), or if the package is
 * too large.
 */
export async function packageVsix({ isPreRelease = false } = {}): Promise<PackagedForge> {
  const vsce = `${projectDirectory}/node_modules/@vscode/vsce/vsce`;
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  const readme = "README.packaged.md"; // not in dist/, which the build empties
  const readmeFile = path.join(projectDirectory, readme);
  writeFileSync(readmeFile, packagedReadme(readFileSync(path.join(projectDirectory, "README.md"), "utf8")));
  options.push("--readme-path", readme);
  if (isPreRelease) options.push("--pre-release");
  const { failure, output } = await runNode(vsce, ["package", ...options, "--out", vsixFile], {
    env: { SOURCE_DATE_EPOCH: String(FILES_TIME_SECONDS), TZ: "UTC" },
    quiet: true,
  });
  rmSync(readmeFile);
  if (failure !== "" || /\bWARNING\b/.test(output)) throw new Error(`packaging: ${failure}\n${output}`);
  const bytes = readFileSync(vsixFile);
  if (bytes.length > vsixLimitBytes) {
    throw new Error(`forge.vsix has ${bytes.length} bytes, and ${vsixLimitBytes} are allowed`);
  }
  return { sizeBytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
