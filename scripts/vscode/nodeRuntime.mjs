/**
 * A Node newer than the machine's, taken from the npm package that carries it. Plain JavaScript: it runs on the
 * machine's own Node, before any other script can. Nothing is fetched when the folder is already there.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** Folder of everything that is downloaded or left behind by tests; git-ignored. */
export const testDirectory = path.resolve(import.meta.dirname, "../../.vscode-test");

/** The Node that runs scripts and unit tests: TypeScript without a build step, as the newest editor's host has it. */
export const scriptsNode = "24.9.0";

/** Path of a Node of exactly `version`; installs it first where it is missing. */
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

/** Fills `folder` by `fill(partial)`, where `partial` is renamed to `folder` only when all went well. */
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
 * Runs `npm install` in `folder`, whose package.json is written first when `dependencies` are given. No install script
 * runs. What npm says is shown only when it fails.
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
