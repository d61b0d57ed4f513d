/**
 * Files around a command: what they hold before it is kept, and what it changed is told after it. A crash between both
 * leaves `command.json`, from which the second can still be done.
 */

import type { FileState } from "../../../core/checkpoints/changeSet.ts";
import { stateIn } from "../../../core/checkpoints/parseChangeSet.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import { messageId, type MessageId } from "../../../core/ids.ts";
import { countIn, listIn, member, stringField, tryParseJson } from "../../../core/json.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { CheckpointFolder } from "./checkpointFolder.ts";
import {
  folderChanges,
  type FolderChange,
  type FolderChanges,
  type FolderLimits,
  type FolderState,
  folderState,
  type SeenFile,
  type UnkeptFile,
  type UnkeptReason,
} from "./folderStates.ts";

/** Enough of what git does not have in a project that a person works on. */
export const FOLDER_LIMITS: FolderLimits = { mostFileBytes: 5_000_000, mostFiles: 5_000, mostBytes: 100_000_000 };

export interface RunCommand {
  /** Of the change set that it becomes. */
  readonly id: number;
  readonly turn: MessageId;
  readonly title: string;
}

export interface EndedCommand extends RunCommand {
  readonly folders: readonly EndedFolder[];
}

interface EndedFolder {
  readonly folder: string;
  readonly changes: readonly FolderChange[];
  readonly uncovered: readonly (readonly [relative: string, why: UnkeptReason])[];
}

export interface CommandServices {
  readonly store: CheckpointFolder;
  /** Absolute path of the program; absent: git is not used. */
  readonly git?: string;
  readonly limits?: FolderLimits;
}

/** Durable when it resolves. */
export async function beginCommand(
  command: RunCommand,
  folders: readonly string[],
  services: CommandServices,
): Promise<Result<void, StorageFailed>> {
  const { store } = services;
  const kept = await store.hashes();
  if (!kept.ok) return kept;
  const seen = statesIn(await textOrNone(store, "seen.json"));
  const batch = store.batch(kept.value);
  const states: FolderState[] = [];
  for (const folder of folders) {
    const state = await folderState(folder, {
      limits: FOLDER_LIMITS,
      ...services,
      store: batch,
      kept: kept.value,
      seen,
    });
    if (!state.ok) return state;
    states.push(state.value);
  }
  const ended = await batch.end();
  if (!ended.ok) return ended;
  return store.setText("command.json", JSON.stringify({ ...command, states: states.map(toJson) }));
}

/** `undefined` if none runs. It counts as running until `command.json` is removed. */
export async function endCommand(
  services: CommandServices,
  nowMs: number,
): Promise<Result<EndedCommand | undefined, StorageFailed>> {
  const { store } = services;
  const text = await store.text("command.json");
  if (!text.ok) return text;
  const command = tryParseJson(text.value);
  if (command === undefined) return ok(undefined);
  const kept = await store.hashes();
  if (!kept.ok) return kept;
  const batch = store.batch(kept.value);
  const states = statesIn(text.value);
  const folders: FolderChanges[] = [];
  for (const state of states) {
    const changes = await folderChanges(state, {
      limits: FOLDER_LIMITS,
      ...services,
      store: batch,
      kept: kept.value,
      seen: states,
    });
    if (!changes.ok) return changes;
    folders.push(changes.value);
  }
  const ended = await batch.end();
  if (!ended.ok) return ended;
  const seen = await store.setText("seen.json", JSON.stringify({ states: folders.map(({ after }) => toJson(after)) }));
  if (!seen.ok) return seen;
  const wanted = folders.flatMap(({ changes }) => changes.flatMap(({ before, after }) => [before, after]));
  const cleaned = await store.removeUnnamed(new Set(wanted.flatMap((state) => state?.hash ?? [])), nowMs);
  if (!cleaned.ok) return cleaned;
  return ok({
    id: countIn(command, "id"),
    turn: messageId(countIn(command, "turn")),
    title: stringField(command, "title"),
    folders: folders.map(({ folder, changes, uncovered }) => ({ folder, changes, uncovered: [...uncovered] })),
  });
}

async function textOrNone(store: CheckpointFolder, file: "seen.json"): Promise<string> {
  const text = await store.text(file);
  return text.ok ? text.value : "";
}

function toJson({ files, uncovered, ...state }: FolderState): unknown {
  return { ...state, files: [...files], uncovered: [...uncovered] };
}

/** Those that were written whole. */
function statesIn(text: string): readonly FolderState[] {
  return listIn(tryParseJson(text), "states").map((value): FolderState => {
    const commit = stringField(value, "commit");
    return {
      folder: stringField(value, "folder"),
      isGit: member(value, "isGit") === true,
      ...(commit === "" ? {} : { commit }),
      files: new Map(listIn(value, "files").flatMap((entry) => named(entry, seenFileIn))),
      uncovered: new Map(listIn(value, "uncovered").flatMap((entry) => named(entry, unkeptFileIn))),
    };
  });
}

function named<T>(entry: unknown, read: (value: unknown) => T | undefined): readonly (readonly [string, T])[] {
  const [name, value] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
  const its = read(value);
  return typeof name === "string" && its !== undefined ? [[name, its]] : [];
}

function seenFileIn(value: unknown): SeenFile | undefined {
  const state: FileState | undefined = stateIn(member(value, "state"));
  const stamp = stringField(value, "stamp");
  return state === undefined ? undefined : { state, ...(stamp === "" ? {} : { stamp }) };
}

function unkeptFileIn(value: unknown): UnkeptFile | undefined {
  const why = (["tooLarge", "tooMany", "unreadable", "unseen"] as const).find(
    (each) => each === stringField(value, "why"),
  );
  return why === undefined ? undefined : { why, stamp: stringField(value, "stamp") };
}
