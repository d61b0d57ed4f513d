/**
 * Installs a real VS Code into .vscode-test/ from the npm registry, without compiling or running install scripts. An
 * installed editor is used as it is, without network.
 */

import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Editor, type EditorName, editorDirectory, editorVersions } from "./editors.ts";
import { ensureNode, installFolder, npmInstall } from "./nodeRuntime.mjs";

/** The editor `name`. Installs it if missing or of another version (about 30 s). */
export function installEditor(name: EditorName): Editor {
  const { codeServer, node } = editorVersions[name];
  const directory = editorDirectory(name);
  if (installedVersion(directory) !== codeServer) {
    if (process.platform !== "linux")
      throw new Error("the editor for tests runs on Linux only; see npm run test:electron");
    console.error(`installing VS Code (code-server ${codeServer}) into .vscode-test/${name} (once)`);
    installFolder(directory, (partial) => fill(partial, codeServer));
  }
  return { name, root: vscodeRoot(directory), node: ensureNode(node) };
}

function vscodeRoot(directory: string): string {
  return path.join(directory, "node_modules/code-server/lib/vscode");
}

function installedVersion(directory: string): string | undefined {
  const manifest = path.join(directory, "node_modules/code-server/package.json");
  const last = path.join(vscodeRoot(directory), "extensions/node_modules");
  if (!existsSync(manifest) || !existsSync(last)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return version;
}

function fill(directory: string, codeServer: string): void {
  npmInstall(directory, { "code-server": codeServer });
  const root = vscodeRoot(directory);
  for (const folder of [root, path.join(root, "extensions")]) {
    replaceGitDependencies(folder);
    npmInstall(folder);
  }
  // The install script, which is not run, would create this link.
  symlinkSync("node_modules", path.join(root, "node_modules.asar"));
  provideRipgrep(root);
}

/** The fields of a package manifest or a shrinkwrap entry used here. */
interface Dependencies {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Shrinkwrap {
  packages: Record<string, Dependencies & { version?: string; resolved?: string }>;
}

/** Replaces a git dependency of VS Code 1.106 by the same version in the registry. */
function replaceGitDependencies(folder: string): void {
  const manifestFile = path.join(folder, "package.json");
  const lockFile = path.join(folder, "npm-shrinkwrap.json");
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Dependencies;
  const lock = JSON.parse(readFileSync(lockFile, "utf8")) as Shrinkwrap;
  const owners = [manifest, lock.packages[""] ?? {}];
  const fromGit = Object.entries(lock.packages).filter(([, entry]) => entry.resolved?.startsWith("git+") === true);
  for (const [place, { version }] of fromGit) {
    if (version === undefined) throw new Error(`${place} in ${lockFile} has no version`);
    const name = place.replace(/^.*node_modules\//, "");
    for (const list of owners.flatMap((owner) => [owner.dependencies, owner.devDependencies])) {
      if (list !== undefined && name in list) list[name] = version;
    }
  }
  const places = new Set(fromGit.map(([place]) => place));
  lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([place]) => !places.has(place)));
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
  writeFileSync(lockFile, JSON.stringify(lock, null, 2));
}

/** Adds ripgrep for file search, which VS Code 1.106 downloads in an install script. Newer editors include it. */
function provideRipgrep(root: string): void {
  const holder = path.join(root, "node_modules/@vscode/ripgrep");
  const target = path.join(holder, "bin/rg");
  if (!existsSync(holder) || existsSync(target)) return;
  const source = path.join(root, "ripgrep");
  mkdirSync(source);
  npmInstall(source, { "@vscode/ripgrep-linux-x64": "1.18.0" });
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(path.join(source, "node_modules/@vscode/ripgrep-linux-x64/bin/rg"), target);
}
