/** The states of files of one conversation: kept before its tools change them, and restored. */

import type { CheckpointFolder } from "../../adapters/node/checkpoints/checkpointFolder.ts";
import { MOST_KEPT_BYTES } from "../../adapters/node/checkpoints/contentStore.ts";
import type { ChangeCause, ChangeSet, FileChange, FileState, UncoveredFile } from "../../core/checkpoints/changeSet.ts";
import { planRestore, planUndo, type FilePlan, type RestorePlan } from "../../core/checkpoints/restorePlan.ts";
import { type Content, revertContent } from "../../core/checkpoints/revertContent.ts";
import type { Clock } from "../../core/clock.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { MessageId } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import { WorkQueue } from "../../core/workQueue.ts";

/** Files by their URIs. Contents are bytes, `undefined` where there is no file. */
export interface WorkspaceContents {
  /** `unsaved`: its editor has changes; `unreadable`: a folder, too large, or not allowed. */
  read(file: string): Promise<Uint8Array | undefined | "unsaved" | "unreadable">;
  /** All or nothing; never a part of a file. False if it could not be written. The mode is that of a new file. */
  write(file: string, bytes: Uint8Array | undefined, isExecutable: boolean): Promise<boolean>;
}

export interface ChangedFile {
  readonly file: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Before, or after. */
  readonly isExecutable?: true;
}

export interface RestoredFile {
  readonly file: string;
  readonly current: Uint8Array | undefined;
  readonly restored: Uint8Array | undefined;
  readonly isExecutable?: true;
}

export type LeftReason =
  "edited" | "deleted" | "created" | "interrupted" | "unsaved" | "unreadable" | "unwritable" | "lost";

export interface LeftFile {
  readonly file: string;
  readonly why: LeftReason;
  /** As it is, and as it was before the first of the changes: where both are known. */
  readonly compared?: { readonly current: Uint8Array | undefined; readonly before: Uint8Array | undefined };
}

/** A restore that can be shown before it is made. */
export interface PreparedRestore {
  readonly plan: RestorePlan;
  /** Those that will change. */
  readonly files: readonly RestoredFile[];
  /** Those that stay as they are, though the conversation's tools changed them. */
  readonly left: readonly LeftFile[];
  readonly uncovered: readonly UncoveredFile[];
}

export interface MadeRestore {
  readonly id: number;
  readonly restored: readonly string[];
  /** Changed since it was prepared, or not writable. */
  readonly failed: readonly LeftFile[];
}

export class FileStates {
  readonly #store: CheckpointFolder;
  readonly #clock: Clock;
  readonly #work = new WorkQueue();
  #reserved = 0;

  /** `folder` is that of the conversation. */
  constructor(store: CheckpointFolder, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  list(): Promise<Result<readonly ChangeSet[], StorageFailed>> {
    return this.#work.run(() => this.#store.list());
  }

  /** Keeps what `files` hold before and after a change that is about to be made; durable when it resolves. */
  keep(
    turn: MessageId,
    cause: ChangeCause,
    files: readonly ChangedFile[],
    uncovered: readonly UncoveredFile[] = [],
  ): Promise<Result<ChangeSet, StorageFailed>> {
    return this.#work.run(() => this.#keep(turn, cause, files, uncovered));
  }

  /** Gives a set other contents, where a change turned out otherwise. */
  correct(set: ChangeSet, files: readonly ChangedFile[]): Promise<Result<ChangeSet, StorageFailed>> {
    return this.#work.run(() => this.#write({ ...set, changes: [] }, files));
  }

  /** An id that no other set will have. */
  reserve(): Promise<Result<number, StorageFailed>> {
    return this.#work.run(async () => {
      const id = await this.#nextId();
      if (id.ok) this.#reserved = id.value;
      return id;
    });
  }

  /** True while a command runs, and after a crash that interrupted one. */
  async hasCommand(): Promise<Result<boolean, StorageFailed>> {
    const text = await this.#store.text("command.json");
    return text.ok ? ok(text.value !== "") : text;
  }

  /** Adds the set of a command that has ended, whose contents have been kept. */
  keepCommand(set: Omit<ChangeSet, "atMs">): Promise<Result<ChangeSet | undefined, StorageFailed>> {
    return this.#work.run(async () => {
      const sets = await this.#store.list();
      if (!sets.ok) return sets;
      const known = sets.value.find(({ id }) => id === set.id);
      const whole = known ?? { ...set, atMs: this.#clock.nowMs() };
      const isEmpty = set.changes.length === 0 && set.uncovered.length === 0;
      const written = known !== undefined || isEmpty ? ok(undefined) : await this.#store.write(whole);
      if (!written.ok) return written;
      const removed = await this.#store.setText("command.json", "");
      if (!removed.ok) return removed;
      return ok(isEmpty ? undefined : whole);
    });
  }

  prepareRestore(turn: MessageId, workspace: WorkspaceContents): Promise<Result<PreparedRestore, StorageFailed>> {
    return this.#prepare((sets) => planRestore(sets, turn), workspace);
  }

  prepareUndo(id: number, workspace: WorkspaceContents): Promise<Result<PreparedRestore, StorageFailed>> {
    return this.#prepare((sets) => planUndo(sets, id), workspace);
  }

  /** A file that changed since it was prepared is left as it is. */
  restore(
    { plan, files, left }: PreparedRestore,
    turn: MessageId,
    workspace: WorkspaceContents,
  ): Promise<Result<MadeRestore, StorageFailed>> {
    return this.#work.run(async () => {
      const failed: LeftFile[] = [];
      const wanted: RestoredFile[] = [];
      for (const each of files) {
        const current = await workspace.read(each.file);
        if (typeof current !== "string" && isSame(current, each.current)) wanted.push(each);
        else failed.push({ file: each.file, why: "edited" });
      }
      const cause = {
        kind: "restore",
        reverts: plan.reverts,
        left: [...left, ...failed].map(({ file }) => file),
      } as const;
      const changes = wanted.map(({ current, restored, ...file }) => ({ ...file, before: current, after: restored }));
      const kept = await this.#keep(turn, cause, changes, []);
      if (!kept.ok) return kept;
      const { id } = kept.value;
      const begun = await this.#store.setRestoring(id);
      if (!begun.ok) return begun;
      for (const { file, restored, isExecutable = false } of wanted)
        if (!(await workspace.write(file, restored, isExecutable))) failed.push({ file, why: "unwritable" });
      const ended = await this.#end(kept.value, failed);
      if (!ended.ok) return ended;
      return ok({ id, restored: withoutThose(wanted, failed).map(({ file }) => file), failed });
    });
  }

  /** True if a kill interrupted a restore. */
  async isInterrupted(): Promise<boolean> {
    const restoring = await this.#store.restoring();
    return restoring.ok && restoring.value !== undefined;
  }

  /** Ends a restore that a kill interrupted; `undefined` if there was none. */
  finishInterrupted(workspace: WorkspaceContents): Promise<Result<MadeRestore | undefined, StorageFailed>> {
    return this.#work.run(async () => {
      const restoring = await this.#store.restoring();
      if (!restoring.ok) return restoring;
      if (restoring.value === undefined) return ok(undefined);
      const sets = await this.#store.list();
      if (!sets.ok) return sets;
      const set = sets.value.find(({ id }) => id === restoring.value);
      const failed: LeftFile[] = [];
      for (const { file, before, after } of set?.changes ?? []) {
        const [from, to] = [await this.#contentOf(before), await this.#contentOf(after)];
        const current = await workspace.read(file);
        const isRestored = to.ok && typeof current !== "string" && isSame(current, to.value);
        if (isRestored) continue;
        const isBegun = from.ok && to.ok && typeof current !== "string" && isPartOf(current, from.value, to.value);
        const isWritten = isBegun && (await workspace.write(file, to.value, after?.isExecutable === true));
        if (!isWritten) failed.push({ file, why: isBegun ? "unwritable" : "edited" });
      }
      if (set === undefined) {
        const isLeft = await this.#store.isUnreadable(restoring.value);
        if (!isLeft.ok || isLeft.value) return isLeft.ok ? ok(undefined) : isLeft; // a newer Forge ends it
        const ended = await this.#store.setRestoring(undefined);
        return ended.ok ? ok(undefined) : ended;
      }
      const ended = await this.#end(set, failed);
      if (!ended.ok) return ended;
      const restored = withoutThose(set.changes, failed).map(({ file }) => file);
      return ok({ id: set.id, restored, failed });
    });
  }

  remove(ids: ReadonlySet<number>): Promise<Result<void, StorageFailed>> {
    return this.#work.run(() => this.#store.remove(ids, this.#clock.nowMs()));
  }

  size(): Promise<Result<number, StorageFailed>> {
    return this.#store.size();
  }

  async #prepare(
    planOf: (sets: readonly ChangeSet[]) => RestorePlan,
    workspace: WorkspaceContents,
  ): Promise<Result<PreparedRestore, StorageFailed>> {
    const sets = await this.list();
    if (!sets.ok) return sets;
    const plan = planOf(sets.value);
    const files: RestoredFile[] = [];
    const left: LeftFile[] = [];
    for (const each of plan.files) {
      const reverted = await this.#revert(each, workspace);
      if ("why" in reverted) left.push(reverted);
      else if (!isSame(reverted.current, reverted.restored)) files.push(reverted);
    }
    return ok({ plan, files, left, uncovered: plan.uncovered });
  }

  async #revert(
    { file, changes, isInterrupted }: FilePlan,
    workspace: WorkspaceContents,
  ): Promise<RestoredFile | LeftFile> {
    const current = await workspace.read(file);
    if (typeof current === "string") return { file, why: current };
    let first: { readonly bytes: Uint8Array | undefined } | undefined;
    const contents: { before: Content; after: Content }[] = [];
    for (const change of changes) {
      const [before, after] = [await this.#contentOf(change.before), await this.#contentOf(change.after)];
      if (!before.ok || !after.ok) return { file, why: "lost" };
      first ??= { bytes: before.value };
      contents.push({ before: latin1(before.value), after: latin1(after.value) });
    }
    const compared = { current, before: first?.bytes };
    if (isInterrupted && !isSame(current, compared.before)) return { file, why: "interrupted", compared };
    const { compareLines } = await import("../../adapters/diff/compareLines.ts");
    const reverted = revertContent(latin1(current), contents, compareLines);
    if (reverted.kind === "conflict") return { file, why: reverted.why, compared };
    const restored = reverted.content === null ? undefined : Buffer.from(reverted.content, "latin1");
    const isExecutable = changes.some((each) =>
      [each.before, each.after].some((state) => state?.isExecutable === true),
    );
    return { file, current, restored, ...(isExecutable ? { isExecutable } : {}) };
  }

  async #keepContent(bytes: Uint8Array | undefined): Promise<Result<FileState, StorageFailed>> {
    return bytes === undefined ? ok(null) : this.#store.keep(bytes);
  }

  async #contentOf(state: FileState): Promise<Result<Uint8Array | undefined, StorageFailed>> {
    return state === null ? ok(undefined) : this.#store.content(state.hash);
  }

  /** Files that could not be restored count as left, so that they can be restored later. */
  async #end(set: ChangeSet, failed: readonly LeftFile[]): Promise<Result<void, StorageFailed>> {
    if (failed.length > 0 && set.cause.kind === "restore") {
      const left = [...new Set([...set.cause.left, ...failed.map(({ file }) => file)])];
      const changes = withoutThose(set.changes, failed);
      const written = await this.#store.write({ ...set, cause: { ...set.cause, left }, changes });
      if (!written.ok) return written;
    }
    return this.#store.setRestoring(undefined);
  }

  async #keep(
    turn: MessageId,
    cause: ChangeCause,
    files: readonly ChangedFile[],
    uncovered: readonly UncoveredFile[],
  ): Promise<Result<ChangeSet, StorageFailed>> {
    const id = await this.#nextId();
    if (!id.ok) return id;
    return this.#write({ id: id.value, turn, atMs: this.#clock.nowMs(), cause, changes: [], uncovered }, files);
  }

  async #nextId(): Promise<Result<number, StorageFailed>> {
    const newest = await this.#store.newestId();
    return newest.ok ? ok(Math.max(newest.value, this.#reserved) + 1) : newest;
  }

  async #write(set: ChangeSet, files: readonly ChangedFile[]): Promise<Result<ChangeSet, StorageFailed>> {
    const changes: FileChange[] = [];
    const uncovered = [...set.uncovered];
    for (const { file, before, after, isExecutable } of files) {
      if ([before, after].some((bytes) => (bytes?.length ?? 0) > MOST_KEPT_BYTES)) {
        uncovered.push({ file, why: "tooLarge" });
        continue;
      }
      const [was, is] = await Promise.all([this.#keepContent(before), this.#keepContent(after)]);
      if (!was.ok) return was;
      if (!is.ok) return is;
      const asMode = (state: FileState): FileState =>
        state !== null && isExecutable === true ? { ...state, isExecutable } : state;
      changes.push({ file, before: asMode(was.value), after: asMode(is.value) });
    }
    const whole = { ...set, changes, uncovered };
    const written = await this.#store.write(whole);
    return written.ok ? ok(whole) : written;
  }
}

function withoutThose<T extends { readonly file: string }>(all: readonly T[], left: readonly LeftFile[]): readonly T[] {
  const files = new Set(left.map(({ file }) => file));
  return all.filter(({ file }) => !files.has(file));
}

function latin1(bytes: Uint8Array | undefined): Content {
  return bytes === undefined ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** True for a file that is as it was, or was being written when the kill came: each byte is as before or as after. */
function isPartOf(current: Uint8Array | undefined, from: Uint8Array | undefined, to: Uint8Array | undefined): boolean {
  if (current === undefined) return from === undefined;
  return current.every((byte, at) => byte === from?.[at] || byte === to?.[at]);
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
}
