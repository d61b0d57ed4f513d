/** Which changes a restore takes back, file by file. */

import type { MessageId } from "../ids.ts";
import type { ChangeSet, FileChange, UncoveredFile } from "./changeSet.ts";

export interface FilePlan {
  readonly file: string;
  /** Oldest first. */
  readonly changes: readonly FileChange[];
  /** One of them may be the person's, as a crash came during a command. */
  readonly isInterrupted: boolean;
}

export interface RestorePlan {
  /** By name of the file. */
  readonly files: readonly FilePlan[];
  /** Sets that are taken back, oldest first. */
  readonly reverts: readonly number[];
  /** Files that they changed, and whose contents are not known. */
  readonly uncovered: readonly UncoveredFile[];
}

/** Takes back what was done in turn `turn` and after it, as far as it is not taken back already. */
export function planRestore(sets: readonly ChangeSet[], turn: MessageId): RestorePlan {
  const { activeIn } = effectsOf(sets);
  const made = sets.filter(({ turn: its, cause }) => cause.kind !== "restore" && its >= turn);
  return planOf(made, ({ id }, file) => activeIn(file).has(id));
}

/** Takes back restore `id`, in the files in which that was not done yet. */
export function planUndo(sets: readonly ChangeSet[], id: number): RestorePlan {
  const { revertedIn } = effectsOf(sets);
  const itself = sets.filter((set) => set.id === id);
  return planOf(itself, (_set, file) => !revertedIn(file).has(id));
}

interface Effect {
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

const NONE: ReadonlySet<number> = new Set();

/** Of each file, the edits and commands whose changes are there, and the restores that were taken back. */
function effectsOf(sets: readonly ChangeSet[]): {
  readonly activeIn: (file: string) => ReadonlySet<number>;
  readonly revertedIn: (file: string) => ReadonlySet<number>;
} {
  const active = new Map<string, Set<number>>();
  const reverted = new Map<string, Set<number>>();
  const effects = new Map<number, Map<string, Effect>>();
  for (const { id, cause, changes } of sets) {
    if (cause.kind !== "restore") {
      for (const { file } of changes) setIn(active, file).add(id);
      continue;
    }
    const own = new Map<string, Effect>();
    effects.set(id, own);
    const left = new Set(cause.left);
    for (const file of filesOf(sets, cause.reverts)) {
      if (left.has(file)) continue;
      const its = setIn(active, file);
      const back = cause.reverts.flatMap((each) => effects.get(each)?.get(file) ?? []);
      const removed = [...cause.reverts, ...back.flatMap(({ added }) => added)].filter((each) => its.delete(each));
      const added = back.flatMap((each) => each.removed);
      for (const each of added) its.add(each);
      for (const each of cause.reverts) if (effects.has(each)) setIn(reverted, file).add(each);
      own.set(file, { removed, added });
    }
  }
  return { activeIn: (file) => active.get(file) ?? NONE, revertedIn: (file) => reverted.get(file) ?? NONE };
}

function filesOf(sets: readonly ChangeSet[], ids: readonly number[]): ReadonlySet<string> {
  const wanted = new Set(ids);
  return new Set(sets.flatMap(({ id, changes }) => (wanted.has(id) ? changes.map(({ file }) => file) : [])));
}

function setIn(sets: Map<string, Set<number>>, file: string): Set<number> {
  const known = sets.get(file) ?? new Set();
  sets.set(file, known);
  return known;
}

function planOf(sets: readonly ChangeSet[], isWanted: (set: ChangeSet, file: string) => boolean): RestorePlan {
  const files = new Map<string, FileChange[]>();
  const interrupted = new Set<string>();
  const uncovered = new Map<string, UncoveredFile>();
  const reverts: number[] = [];
  for (const set of sets) {
    const changes = set.changes.filter(({ file }) => isWanted(set, file));
    for (const change of changes) files.set(change.file, [...(files.get(change.file) ?? []), change]);
    if (changes.length > 0) reverts.push(set.id);
    if (set.cause.kind === "command" && set.cause.isInterrupted) for (const { file } of changes) interrupted.add(file);
    for (const each of set.uncovered) uncovered.set(each.file, each);
  }
  return {
    files: [...files].map(([file, changes]) => ({ file, changes, isInterrupted: interrupted.has(file) })).sort(byFile),
    reverts,
    uncovered: [...uncovered.values()].sort(byFile),
  };
}

function byFile(one: { readonly file: string }, other: { readonly file: string }): number {
  return one.file < other.file ? -1 : one.file > other.file ? 1 : 0;
}
