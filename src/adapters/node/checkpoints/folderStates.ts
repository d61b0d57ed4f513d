/**
 * The files of a workspace folder before and after a command. In a git repository only files that differ from its last
 * commit are read, since git has the others; nothing of git is written, not even its index. Elsewhere all files are.
 */

import { execFile } from "node:child_process";
import { type BigIntStats, lstatSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { ContentHash, FileState } from "../../../core/checkpoints/changeSet.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import { systemErrorCode } from "../files.ts";
import type { CheckpointFolder } from "./checkpointFolder.ts";

export interface FolderLimits {
  readonly mostFileBytes: number;
  readonly mostFiles: number;
  readonly mostBytes: number;
}

/** A file that was read; it is not read again while it has the same stamp. */
export interface SeenFile {
  readonly state: FileState;
  /** Absent where it may soon be another with the same stamp. */
  readonly stamp?: string;
}

/** A file that differs, and is not kept; the stamp changes with the file. */
export interface UnkeptFile {
  readonly why: UnkeptReason;
  readonly stamp: string;
}

export type UnkeptReason = "tooLarge" | "tooMany" | "unreadable" | "unseen";

/** The paths are those from the folder on, with `/`. */
export interface FolderState {
  /** Absolute path. */
  readonly folder: string;
  /** The commit that git has the other files of; absent in an empty repository, and without git. */
  readonly commit?: string;
  readonly isGit: boolean;
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly uncovered: ReadonlyMap<string, UnkeptFile>;
}

export interface FolderChange {
  readonly relative: string;
  readonly before: FileState;
  readonly after: FileState;
}

export interface FolderChanges {
  readonly folder: string;
  readonly changes: readonly FolderChange[];
  readonly uncovered: ReadonlyMap<string, UnkeptReason>;
  readonly after: FolderState;
}

export interface FolderServices {
  readonly store: Pick<CheckpointFolder, "keep">;
  /** Contents that the store has. */
  readonly kept: ReadonlySet<ContentHash>;
  /** Absolute path of the program; absent: git is not used. */
  readonly git?: string;
  readonly limits: FolderLimits;
  /** Earlier states, whose files need not be read again. */
  readonly seen: readonly FolderState[];
}

/** Files that are read and kept at a time. */
const AT_ONCE = 8;

/** Without git. */
const MOST_LISTED = 50_000;
const ITSELF = "";

/** In the mode of a file; there is none on Windows. */
const OWNER_EXECUTES = 0o100n;
/** Modes in git: those of files begin with the first. */
const REGULAR = "100";
const EXECUTABLE = "100755";

const run = promisify(execFile);
/** Of git's output. */
const MOST_OUTPUT = 256 * 1024 * 1024;
/** A file changed twice within this time may have the same stamp. */
const SETTLED_NS = 2_000_000_000n;
/** Folders that are not entered without git. */
const SKIPPED: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/** The folder as it is now, with each content kept. */
export async function folderState(
  folder: string,
  services: FolderServices,
): Promise<Result<FolderState, StorageFailed>> {
  return stateOf(folder, services.git === undefined ? undefined : await repositoryOf(folder, services.git), services);
}

async function stateOf(
  folder: string,
  repository: Repository | undefined,
  services: FolderServices,
): Promise<Result<FolderState, StorageFailed>> {
  const names = repository?.changed ?? allFiles(folder);
  const keeper = new Keeper(folder, services);
  const kept = await keeper.keepAll(names);
  if (!kept.ok) return kept;
  const commit = repository?.commit === undefined ? {} : { commit: repository.commit };
  return ok({ folder, ...commit, isGit: repository !== undefined, files: keeper.files, uncovered: keeper.uncovered });
}

/** The changes since `before`, each content kept. */
export async function folderChanges(
  before: FolderState,
  services: FolderServices,
): Promise<Result<FolderChanges, StorageFailed>> {
  const { commit, folder } = before;
  const repository = services.git === undefined ? undefined : await repositoryOf(folder, services.git);
  const now = await stateOf(folder, repository, services);
  if (!now.ok) return now;
  const after = now.value;
  const isMoved = commit !== undefined && commit !== after.commit;
  const names = new Set([
    ...[before, after].flatMap(({ files, uncovered }) => [...files.keys(), ...uncovered.keys()]),
    ...(isMoved ? ((await repository?.changedSince(commit)) ?? []) : []),
  ]);
  const keeper = new Keeper(folder, services);
  const left = await keeper.keepAll([...names].filter((name) => !isKnown(after, name)).sort());
  if (!left.ok) return left;
  const wasCommitted = [...names].filter((name) => !isKnown(before, name)).sort();
  const committed = await keeper.committed(wasCommitted, before.isGit ? repository : undefined, commit);
  if (!committed.ok) return committed;
  const stateBefore = (name: string): FileState =>
    before.files.get(name)?.state ?? committed.value.files.get(name) ?? null;
  const stateAfter = (name: string): FileState => (after.files.get(name) ?? keeper.files.get(name))?.state ?? null;
  // What is seen only now may have been there all the time: then no restore may delete it.
  const mayShowMore =
    before.isGit !== after.isGit ||
    !committed.value.isListed ||
    before.uncovered.has(ITSELF) ||
    [...names].some((name) => isChangedRule(name, stateBefore(name), stateAfter(name)));
  const changes: FolderChange[] = [];
  const uncovered = new Map<string, UnkeptReason>();
  for (const relative of [...names].sort()) {
    const [unkept, unkeptNow] = [before, after].map((each) => each.uncovered.get(relative));
    const isSame = unkept !== undefined && unkept.stamp === unkeptNow?.stamp;
    if (isSame && relative !== ITSELF) continue;
    const unread = committed.value.unread.get(relative) ?? keeper.uncovered.get(relative)?.why;
    const [was, isNow] = [stateBefore(relative), stateAfter(relative)];
    const isUnseen = mayShowMore && was === null && isNow !== null && !isKnown(before, relative);
    const why = unkept?.why ?? unkeptNow?.why ?? unread ?? (isUnseen ? "unseen" : undefined);
    if (why !== undefined) uncovered.set(relative, why);
    else if (was?.hash !== isNow?.hash) changes.push({ relative, before: was, after: isNow });
  }
  return ok({ folder, changes, uncovered, after });
}

/** A new file of rules only hides others, but for rules that nobody begins with. */
function isChangedRule(name: string, was: FileState, isNow: FileState): boolean {
  return was !== null && was.hash !== isNow?.hash && path.posix.basename(name) === ".gitignore";
}

function isKnown({ files, uncovered }: FolderState, name: string): boolean {
  return files.has(name) || uncovered.has(name);
}

interface Committed {
  readonly files: ReadonlyMap<string, FileState>;
  readonly unread: ReadonlyMap<string, UnkeptReason>;
  /** False if git has the commit no longer. */
  readonly isListed: boolean;
}

class Keeper {
  readonly files = new Map<string, SeenFile>();
  readonly uncovered = new Map<string, UnkeptFile>();
  readonly #folder: string;
  readonly #services: FolderServices;
  readonly #seen: ReadonlyMap<string, SeenFile>;
  #bytes = 0;
  #count = 0;

  constructor(folder: string, services: FolderServices) {
    this.#folder = folder;
    this.#services = services;
    this.#seen = services.seen.find((each) => each.folder === folder)?.files ?? new Map();
  }

  /** Several at once, as each waits for the disk; which ones are kept depends on their order alone. */
  async keepAll(names: readonly string[]): Promise<Result<void, StorageFailed>> {
    const wanted: Wanted[] = [];
    for (const relative of names) {
      if (relative === ITSELF) {
        this.uncovered.set(relative, { why: "tooMany", stamp: "" });
        continue;
      }
      const its = this.#statsOf(relative);
      if (its === undefined) this.files.set(relative, { state: null });
      else if (its === "unreadable") this.uncovered.set(relative, { why: its, stamp: "" });
      // Links and folders are passed over: no restore changes them.
      else if (its.isFile() && this.#hasRoom(relative, its)) wanted.push({ relative, stats: its });
    }
    const kept = await inTurns(wanted, (each) => this.#keep(each));
    return kept.find((each) => !each.ok) ?? ok(undefined);
  }

  /** Files as git checks them out; one that the commit has not is none. */
  async committed(
    names: readonly string[],
    repository: Repository | undefined,
    commit: string | undefined,
  ): Promise<Result<Committed, StorageFailed>> {
    const files = new Map<string, FileState>();
    const unread = new Map<string, UnkeptReason>();
    if (commit === undefined || names.length === 0) return ok({ files, unread, isListed: true });
    const all = await repository?.filesOf(commit);
    if (repository === undefined || all === undefined) return ok({ files, unread, isListed: false });
    const { limits, store } = this.#services;
    const kept = await inTurns(
      names.filter((name) => all.has(name)),
      async (relative, index) => {
        const mode = all.get(relative) ?? "";
        // A link's content is where it leads: a restore would make a file of it.
        if (!mode.startsWith(REGULAR)) return void unread.set(relative, "unreadable");
        if (index >= limits.mostFiles) return void unread.set(relative, "tooMany");
        const content = await repository.contentOf(relative, commit);
        if (content === undefined) return void unread.set(relative, "unreadable");
        if (content.length > limits.mostFileBytes) return void unread.set(relative, "tooLarge");
        const state = await store.keep(content);
        if (state.ok) files.set(relative, withMode(state.value, mode === EXECUTABLE));
        return state;
      },
    );
    const failed = kept.find((each) => each?.ok === false);
    return failed?.ok === false ? failed : ok({ files, unread, isListed: true });
  }

  /** Synchronous: for thousands of files, a sixth of the time. */
  #statsOf(relative: string): BigIntStats | "unreadable" | undefined {
    return ifReadable(() => lstatSync(path.join(this.#folder, relative), { bigint: true, throwIfNoEntry: false }));
  }

  #hasRoom(relative: string, stats: BigIntStats): boolean {
    const { limits } = this.#services;
    const bytes = Number(stats.size);
    const isTooLarge = bytes > limits.mostFileBytes;
    const isFull = this.#count >= limits.mostFiles || this.#bytes + bytes > limits.mostBytes;
    if (isTooLarge || isFull) {
      this.uncovered.set(relative, { why: isTooLarge ? "tooLarge" : "tooMany", stamp: stampOf(stats) });
      return false;
    }
    this.#count++;
    this.#bytes += bytes;
    return true;
  }

  async #keep({ relative, stats }: Wanted): Promise<Result<void, StorageFailed>> {
    const { store } = this.#services;
    const stamp = stampOf(stats);
    const known = this.#seen.get(relative);
    if (known?.state != null && known.stamp === stamp && this.#services.kept.has(known.state.hash)) {
      this.files.set(relative, known);
      return ok(undefined);
    }
    // Synchronous, as the thread is there for nothing else: for thousands of files, half of the time.
    const content = ifReadable((): Uint8Array => readFileSync(path.join(this.#folder, relative)));
    if (content === "unreadable") {
      this.uncovered.set(relative, { why: content, stamp });
      return ok(undefined);
    }
    const kept = content === undefined ? ok(null) : await store.keep(content);
    if (!kept.ok) return kept;
    const isSettled = BigInt(Date.now()) * 1_000_000n - stats.mtimeNs > SETTLED_NS;
    const isExecutable = (stats.mode & OWNER_EXECUTES) !== 0n;
    const state = withMode(kept.value, isExecutable);
    this.files.set(relative, { state, ...(isSettled ? { stamp } : {}) });
    return ok(undefined);
  }
}

function withMode(state: FileState, isExecutable: boolean): FileState {
  return state !== null && isExecutable ? { ...state, isExecutable } : state;
}

interface Wanted {
  readonly relative: string;
  readonly stats: BigIntStats;
}

async function inTurns<Item, Done>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Done>,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) done[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

/** Another failure than a missing file is the file's own, and keeps no command from being run. */
function ifReadable<T>(read: () => T): T | "unreadable" | undefined {
  try {
    return read();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "unreadable";
  }
}

function stampOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, dev].join(" ");
}

interface Repository {
  readonly commit: string | undefined;
  /** Files of the folder that differ from the commit, or that it has not, but those that git ignores. */
  readonly changed: readonly string[];
  /** `undefined` if it has the commit no longer, as in a repository that was made anew. */
  changedSince(commit: string): Promise<readonly string[] | undefined>;
  /** Modes by path; `undefined` likewise. */
  filesOf(commit: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** As it is checked out. */
  contentOf(relative: string, commit: string): Promise<Uint8Array | undefined>;
}

/** `undefined` if the folder is in none, git ignores it, or does not run. */
async function repositoryOf(folder: string, program: string): Promise<Repository | undefined> {
  const git = async (...words: readonly string[]): Promise<Buffer> => {
    const { stdout } = await run(program, ["--no-optional-locks", "-c", "core.fsmonitor=false", ...words], {
      cwd: folder,
      encoding: "buffer",
      maxBuffer: MOST_OUTPUT,
      windowsHide: true,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
    });
    return stdout;
  };
  const [place, isIgnored, status] = await Promise.all([
    git("rev-parse", "--is-inside-work-tree", "--show-prefix").catch(noOutput),
    git("check-ignore", "--quiet", ".").then(
      () => true,
      () => false,
    ),
    git("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--", ".").catch(
      noOutput,
    ),
  ]);
  const [isInside, prefix = ""] = place?.toString().split("\n") ?? [];
  const isOther = isIgnored && prefix !== ""; // its own root is never ignored, whatever the rules say of all files
  if (isInside !== "true" || isOther || status === undefined) return undefined;
  const { commit, names } = readStatus(status.toString());
  const below = (all: readonly string[]): readonly string[] =>
    all.flatMap((name) =>
      name.length > prefix.length && name.startsWith(prefix) && !name.endsWith("/") ? [name.slice(prefix.length)] : [],
    );
  return {
    commit,
    changed: below(names),
    async changedSince(since) {
      const output = await git("diff", "--name-only", "-z", "--no-renames", since, "HEAD", "--", ".").catch(noOutput);
      return output && below(output.toString().split("\0"));
    },
    filesOf: async (of) => {
      const output = await git("ls-tree", "-r", "-z", "--full-name", of, "--", ".").catch(noOutput);
      const lines = output?.toString().split("\0");
      return (
        lines &&
        new Map(
          lines.flatMap((line) =>
            below([line.slice(line.indexOf("\t") + 1)]).map((name) => [name, line.split(" ", 1)[0] ?? ""]),
          ),
        )
      );
    },
    contentOf: (relative, of) => git("cat-file", "--filters", `${of}:${prefix}${relative}`).catch(noOutput),
  };
}

function noOutput(): undefined {
  return undefined;
}

/** Fields before the path in a line of git's status, by its first letter. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };
const COMMIT = "# branch.oid ";

function readStatus(text: string): { readonly commit: string | undefined; readonly names: readonly string[] } {
  const lines = text.split("\0");
  const oid = lines.find((line) => line.startsWith(COMMIT))?.slice(COMMIT.length);
  const names = lines.flatMap((line) => {
    const fields = FIELDS[line.charAt(0)];
    return fields === undefined ? [] : [line.split(" ").slice(fields).join(" ")];
  });
  return { commit: oid === "(initial)" ? undefined : oid, names };
}

/** In the order of their names; with one for the folder itself, if there are more than can be compared. */
function allFiles(folder: string): readonly string[] {
  const files: string[] = [];
  const folders = [""];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const within = path.join(folder, at);
    const entries = ifReadable(() => readdirSync(within, { withFileTypes: true }));
    if (entries === undefined || entries === "unreadable") continue;
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (files.length === MOST_LISTED) return [...files, ITSELF];
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(name);
    }
  }
  return files;
}
