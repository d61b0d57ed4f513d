/**
 * Installs a newer Node from its npm package. Plain JavaScript, since it runs on the machine's own Node before any
 * other script. Nothing is fetched if the folder exists.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** Folder of downloads and test output, ignored by git. */
export const testDirectory = path.resolve(import.meta.dirname, "../../.vscode-test");

/** Node version of scripts and unit tests, as in the newest editor's host. It runs TypeScript without a build. */
export const scriptsNode = "24.9.0";

/** Path of a Node of exactly `version`, installed if missing. */
export function ensureNode(version) {
  const folder = path.join(testDirectory, `node-${version}`);
  const packageName = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = process.platform === "win32" ? "node.exe" : "node";
  const binary = path.join(folder, "node_modules", packageName, "bin", program);
  if (!existsSync(binary)) {
    console.error(`installing Node ${version} into .vscode-test (once)`);
    installFolder(folder, (partial) => npmInstall(partial, { [packageName]: version }));
  }
  return binary;
}

/** Fills `folder` by `fill(partial)`, and renames `partial` to `folder` only on success. */
export function installFolder(folder, fill) {
  const partial = `${folder}.partial-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    fill(partial);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Runs `npm install` in `folder` without install scripts, after writing its package.json if `dependencies` are given.
 * Shows npm's output only on failure.
 */
export function npmInstall(folder, dependencies) {
  if (dependencies !== undefined) {
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies }, null, 2));
  }
  const options = ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const [program, leading] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  execFileSync(program, [...leading, ...options], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
