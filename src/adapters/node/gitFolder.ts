/** A folder's repository and the addresses of its remotes, from git's own files. Runs no git. */

import { homedir } from "node:os";
import systemPath, { type PlatformPath } from "node:path";
import { fileFailure, nodeFiles, type Files } from "./files.ts";

export interface GitFolder {
  /** The working tree that contains the folder. */
  readonly root: string;
  /** As they are written in `.git/config`, with whatever passwords they hold. */
  readonly remoteUrls: readonly string[];
}

/** A larger one was not written by git. */
const MOST_CONFIG_BYTES = 1_000_000;
const MOST_POINTER_BYTES = 10_000;

/**
 * `undefined` outside of any repository. One that is the home folder, as for its settings, does not contain the projects
 * in it.
 */
export async function readGitFolder(
  folder: string,
  files: Files = nodeFiles,
  home: string = homedir(),
  path: PlatformPath = systemPath,
): Promise<GitFolder | undefined> {
  for (let root = path.resolve(folder); ; root = path.dirname(root)) {
    const config = await configIn(path.join(root, ".git"), files, path);
    if (config !== undefined) return { root, remoteUrls: remoteUrlsIn(config) };
    const parent = path.dirname(root);
    // On Windows the editor writes drives as small letters, and the system as capitals.
    if (parent === root || path.relative(parent, home) === "") return undefined;
  }
}

/** `git` is a folder, or in a worktree or a submodule a file that names one. */
async function configIn(git: string, files: Files, path: PlatformPath): Promise<string | undefined> {
  const own = await readSmall(path.join(git, "config"), MOST_CONFIG_BYTES, files);
  if (own !== undefined) return own;
  const pointer = /^gitdir: (.+)$/m.exec((await readSmall(git, MOST_POINTER_BYTES, files)) ?? "")?.[1];
  if (pointer === undefined) return undefined;
  const gitDir = path.resolve(path.dirname(git), pointer.trim());
  const common = (await readSmall(path.join(gitDir, "commondir"), MOST_POINTER_BYTES, files))?.trim();
  return readSmall(path.resolve(gitDir, common ?? "", "config"), MOST_CONFIG_BYTES, files);
}

/** `undefined` if it is missing, too large, or cannot be read. */
async function readSmall(file: string, mostBytes: number, files: Files): Promise<string | undefined> {
  try {
    const bytes = await files.readStart(file, mostBytes + 1);
    return bytes.length > mostBytes ? undefined : Buffer.from(bytes).toString("utf8");
  } catch (error) {
    fileFailure(error); // rethrows a bug
    return undefined;
  }
}

/** Without what the file includes: where a repository comes from stands in its own. */
export function remoteUrlsIn(config: string): readonly string[] {
  const urls: string[] = [];
  let isRemote = false;
  for (const line of config.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (section !== null) isRemote = section[1]?.toLowerCase() === "remote" && section[2] !== undefined;
    const value = /^\s*url\s*=\s*(.*)$/i.exec(section?.[3] ?? line)?.[1];
    if (isRemote && value !== undefined) urls.push(plainValue(value));
  }
  return urls;
}

/** Without quotes, escapes and a comment. */
function plainValue(value: string): string {
  let plain = "";
  let isQuoted = false;
  for (const [piece] of value.matchAll(/\\.|[^\\]/gs)) {
    if (piece === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (piece === "#" || piece === ";")) break;
    else plain += piece.length === 2 && piece.startsWith("\\") ? (ESCAPES[piece] ?? piece.slice(1)) : piece;
  }
  return plain.trim();
}

const ESCAPES: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\b": "\b" };
