/** The states of files around the commands of one conversation. */

import type { EndedCommand, RunCommand } from "../../adapters/node/checkpoints/commandFiles.ts";
import type { ChangeSet, UncoveredFile } from "../../core/checkpoints/changeSet.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { MessageId } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import { WorkQueue } from "../../core/workQueue.ts";
import type { ChangedMeanwhile } from "./changedMeanwhile.ts";
import type { FileStates } from "./fileStates.ts";

/** Reads folders, which takes up to seconds: not on the host's thread. */
export interface CommandFiles {
  begin(command: RunCommand, folders: readonly string[]): Promise<Result<undefined, StorageFailed>>;
  /** `undefined` if none has begun. */
  end(): Promise<Result<EndedCommand | undefined, StorageFailed>>;
}

export interface KeptCommand<T> {
  readonly result: T;
  /** Its changes of files; fails if they could not be kept. */
  readonly kept: Result<ChangeSet | undefined, StorageFailed>;
}

export class CommandStates {
  readonly #states: FileStates;
  readonly #files: CommandFiles;
  readonly #meanwhile: ChangedMeanwhile;
  readonly #work = new WorkQueue();
  readonly #uriOf: (folder: string, relative: string) => string;

  constructor(
    states: FileStates,
    files: CommandFiles,
    meanwhile: ChangedMeanwhile,
    uriOf: (folder: string, relative: string) => string,
  ) {
    this.#states = states;
    this.#files = files;
    this.#meanwhile = meanwhile;
    this.#uriOf = uriOf;
  }

  /** Runs a command; `folders` are those whose files are kept. A failure means that it was not run. */
  around<T>(
    turn: MessageId,
    title: string,
    folders: readonly string[],
    run: () => Promise<T>,
  ): Promise<Result<KeptCommand<T>, StorageFailed>> {
    return this.#work.run(() => this.#around(turn, title, folders, run));
  }

  /**
   * Keeps what a command changed that a crash interrupted; `undefined` if there was none. Waits for one that still ends, as
   * after a stop.
   */
  settle(): Promise<Result<ChangeSet | undefined, StorageFailed>> {
    return this.#work.run(() => this.#finishInterrupted());
  }

  async #around<T>(
    turn: MessageId,
    title: string,
    folders: readonly string[],
    run: () => Promise<T>,
  ): Promise<Result<KeptCommand<T>, StorageFailed>> {
    const ended = await this.#finishInterrupted();
    if (!ended.ok) return ended;
    const id = await this.#states.reserve();
    if (!id.ok) return id;
    const watch = this.#meanwhile.watch();
    try {
      const begun = await this.#files.begin({ id: id.value, turn, title }, folders);
      if (!begun.ok) return begun;
      const result = await run();
      return ok({ result, kept: await this.#end(watch.files, false) });
    } finally {
      watch.end();
    }
  }

  async #finishInterrupted(): Promise<Result<ChangeSet | undefined, StorageFailed>> {
    const runs = await this.#states.hasCommand();
    if (!runs.ok) return runs;
    return runs.value ? this.#end(NONE, true) : ok(undefined);
  }

  async #end(
    meanwhile: ReadonlySet<string>,
    isInterrupted: boolean,
  ): Promise<Result<ChangeSet | undefined, StorageFailed>> {
    const ended = await this.#files.end();
    if (!ended.ok) return ended;
    if (ended.value === undefined) return ok(undefined);
    const { id, turn, title, folders } = ended.value;
    const uriOf = (folder: string, relative: string): string => this.#uriOf(folder, relative);
    const changes = folders.flatMap(({ folder, changes: its }) =>
      its.map(({ relative, before, after }) => ({ file: uriOf(folder, relative), before, after })),
    );
    const unkept = folders.flatMap(({ folder, uncovered }) =>
      uncovered.map(([relative, why]): UncoveredFile => ({ file: uriOf(folder, relative), why })),
    );
    const own = unique(changes).filter(({ file }) => !meanwhile.has(file));
    const others = unique(changes).filter(({ file }) => meanwhile.has(file));
    const uncovered = unique([...unkept, ...others.map(({ file }) => ({ file, why: "meanwhile" as const }))]);
    for (const { file } of own) this.#meanwhile.note(file);
    const cause = { kind: "command", title, isInterrupted } as const;
    return this.#states.keepCommand({ id, turn, cause, changes: own, uncovered });
  }
}

const NONE: ReadonlySet<string> = new Set();

/** One of each file, which may be in several of the folders. */
function unique<T extends { readonly file: string }>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((each) => [each.file, each])).values()];
}
