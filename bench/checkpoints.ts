/**
 * `npm run bench -- checkpoints [--full] [--json]`: how long the states of files are kept before an edit and before a
 * command, and how much room they take, in a workspace of 10,000 files and 1 GB, of which 300 files with 50 MB differ
 * from the last commit; then in the same workspace without its repository. The files are made up.
 */

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { type BenchOptions, type BenchReport, median } from "../scripts/benchmark.ts";
import { CheckpointFolder } from "../src/adapters/node/checkpoints/checkpointFolder.ts";
import { systemClock } from "../src/adapters/node/clock.ts";
import { messageId } from "../src/core/ids.ts";
import { ChangedMeanwhile } from "../src/host/checkpoints/changedMeanwhile.ts";
import { CommandStates } from "../src/host/checkpoints/commandStates.ts";
import { commandThread } from "../src/host/checkpoints/commandThread.ts";
import { FileStates } from "../src/host/checkpoints/fileStates.ts";
import { temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { sourceText, writeLargeWorkspace } from "./support/checkpoints/largeWorkspace.ts";
import { LoopProbe } from "./support/long/loopProbe.ts";

const ROUNDS = 5;
const FULL_ROUNDS = 15;
const EDITS = 9;
const EDITED_BYTES = 166_000;
/** Commands after the first of a conversation. */
const AGAIN = 2;
const CHANGED_BY_COMMAND = 3;
const SETTLE_MS = 20;

/** The most that is allowed. */
const BOUNDS = {
  firstEditMs: 50,
  beforeCommandHostMs: 50,
  beforeCommandMs: 2_000,
  beforeCommandAgainMs: 200,
  storeShare: 1.1,
};

export async function run({ full, rounds = full ? FULL_ROUNDS : ROUNDS }: BenchOptions): Promise<BenchReport> {
  const folder = temporaryFolder();
  try {
    const [work, dist] = [path.join(folder.path, "work"), path.join(folder.path, "dist")];
    mkdirSync(work);
    await buildWorker(dist);
    const workspace = writeLargeWorkspace(work);
    const places = { work, dist, kept: path.join(folder.path, "kept"), rounds, probe: new LoopProbe() };
    const edit = await firstEdit(places.kept);
    const withGit = await commandsIn({ ...places, git: "git" }, () => workspace.clean);
    if (withGit.files !== workspace.changed) throw new Error(`git told of ${withGit.files} files`);
    renameSync(path.join(work, ".git"), path.join(folder.path, "repository"));
    const withoutGit = await commandsIn(places, (kept) => kept.slice(0, CHANGED_BY_COMMAND));
    const worst = (name: keyof Times | "storeShare"): number => Math.max(withGit[name], withoutGit[name]);
    const figures = {
      files: workspace.files,
      mb: workspace.bytes / 1e6,
      firstEditMs: edit,
      beforeCommandHostMs: worst("hostMs"),
      beforeCommandMs: worst("beforeMs"),
      beforeCommandAgainMs: worst("againMs"),
      afterCommandMs: worst("afterMs"),
      storeShare: worst("storeShare"),
      ...named(withGit, "WithGit"),
      ...named(withoutGit, "WithoutGit"),
    };
    const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]));
    for (const [name, most] of Object.entries(BOUNDS))
      console.log(`${name}: at most ${most}, is ${rounded[name] ?? "?"}`);
    return { figures: rounded };
  } finally {
    folder.remove();
  }
}

/** Milliseconds until a file may be edited whose conversation has kept nothing before. */
async function firstEdit(kept: string): Promise<number> {
  const texts = Array.from({ length: EDITS + 1 }, (_, at) => sourceText(at, EDITED_BYTES));
  const times: number[] = [];
  for (let at = 0; at < EDITS; at++) {
    const states = new FileStates(new CheckpointFolder(path.join(kept, `edit${String(at)}`)), systemClock);
    const files = [{ file: "file:///a.ts", before: texts[at], after: texts[at + 1] }];
    const began = performance.now();
    const done = await states.keep(messageId(0), { kind: "edit", title: "Edit" }, files);
    times.push(performance.now() - began);
    if (!done.ok) throw new Error(done.error.detail);
  }
  return median(times);
}

interface Places {
  readonly work: string;
  readonly dist: string;
  readonly kept: string;
  readonly git?: string;
  readonly rounds: number;
  /** Of this thread. */
  readonly probe: LoopProbe;
}

/** Medians, in milliseconds. */
interface Times {
  /** Longest time for which the host's thread was held before a command. */
  readonly hostMs: number;
  readonly beforeMs: number;
  readonly againMs: number;
  /** The command changed nothing, or three files. */
  readonly afterMs: number;
}

interface Kept {
  readonly files: number;
  readonly mb: number;
  /** Bytes on the disk, of those of the files. */
  readonly storeShare: number;
}

/** Each round in a new conversation: a command that changes nothing, and some that change files. */
async function commandsIn(
  places: Places,
  changedBy: (kept: readonly string[]) => readonly string[],
): Promise<Times & Kept> {
  const first: CommandTimes[] = [];
  const again: CommandTimes[] = [];
  const kept: Kept[] = [];
  for (let at = 0; at < places.rounds; at++) {
    const folder = path.join(places.kept, `${places.git ?? "none"}${String(at)}`);
    const conversation = new Conversation(folder, places);
    first.push(await conversation.command([]));
    const names = filesKept(folder);
    kept.push(keptIn(folder, names));
    const changed = changedBy([...names.keys()]).map((name) => path.join(places.work, name));
    const contents = changed.map((file) => readFileSync(file));
    for (let time = 0; time < AGAIN; time++) again.push(await conversation.command(changed));
    for (const [index, file] of changed.entries()) writeFileSync(file, contents[index] ?? "");
    rmSync(folder, { recursive: true });
  }
  const [some = { files: 0, mb: 0, storeShare: 0 }] = kept;
  return {
    ...some,
    hostMs: median([...first, ...again].map(({ hostMs }) => hostMs)),
    beforeMs: median(first.map(({ beforeMs }) => beforeMs)),
    againMs: median(again.map(({ beforeMs }) => beforeMs)),
    afterMs: median([...first, ...again].map(({ afterMs }) => afterMs)),
  };
}

interface CommandTimes {
  readonly hostMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** Its commands run in the workspace. */
class Conversation {
  readonly #work: string;
  readonly #commands: CommandStates;
  readonly #probe: LoopProbe;
  #turn = 0;

  constructor(kept: string, { work, dist, git, probe }: Places) {
    this.#work = work;
    this.#probe = probe;
    const thread = commandThread(dist, kept, () => Promise.resolve(git));
    const states = new FileStates(new CheckpointFolder(kept), systemClock);
    this.#commands = new CommandStates(states, thread, new ChangedMeanwhile(), (folder, name) =>
      path.join(folder, name),
    );
  }

  /** Adds a line to each of the files. */
  async command(changed: readonly string[]): Promise<CommandTimes> {
    await wait(SETTLE_MS);
    this.#probe.reset();
    const began = performance.now();
    let [hostMs, ran] = [0, 0];
    const done = await this.#commands.around(messageId(++this.#turn), "Command", [this.#work], () => {
      hostMs = this.#probe.longestMs;
      ran = performance.now();
      for (const file of changed) appendFileSync(file, "// one line more\n");
      return Promise.resolve();
    });
    const afterMs = performance.now() - ran;
    const changes = done.ok && done.value.kept.ok ? done.value.kept.value?.changes : undefined;
    const told = changes?.map(({ file }) => file) ?? [];
    if (!done.ok || !isDeepStrictEqual(told.toSorted(), changed.toSorted()))
      throw new Error(`${changed.length} files changed, and ${told.length} were told: ${JSON.stringify(done)}`);
    return { hostMs, beforeMs: ran - began, afterMs };
  }
}

/** Bytes of those of the workspace whose contents are kept, by their names. */
function filesKept(folder: string): ReadonlyMap<string, { readonly hash: string; readonly bytes: number }> {
  const { states } = JSON.parse(readFileSync(path.join(folder, "seen.json"), "utf8")) as SeenFiles;
  return new Map(states.flatMap(({ files }) => files.map(([name, { state }]) => [name, state] as const)));
}

interface SeenFiles {
  readonly states: readonly {
    readonly files: readonly (readonly [
      string,
      { readonly state: { readonly hash: string; readonly bytes: number } },
    ])[];
  }[];
}

/** Each content counts once. */
function keptIn(folder: string, files: ReturnType<typeof filesKept>): Kept {
  const contents = new Map([...files.values()].map(({ hash, bytes }) => [hash, bytes]));
  const bytes = sum([...contents.values()]);
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
  return { files: files.size, mb: bytes / 1e6, storeShare: sum(stored) / bytes };
}

/** As it is shipped. */
async function buildWorker(dist: string): Promise<void> {
  await build({
    entryPoints: { commandWorker: fileURLToPath(new URL("../src/host/checkpoints/commandWorker.ts", import.meta.url)) },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    logLevel: "warning",
  });
}

function named(figures: object, ending: string): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name}${ending}`, Number(value)]));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
