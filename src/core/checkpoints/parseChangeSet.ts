import { messageId } from "../ids.ts";
import { countIn, listIn, member, stringField } from "../json.ts";
import {
  type ChangeCause,
  type ChangeSet,
  type ContentHash,
  type FileChange,
  type FileState,
  UNCOVERED_REASONS,
  type UncoveredFile,
} from "./changeSet.ts";

/** Of the form in which sets are stored; the first had none. */
export const CHANGE_SET_VERSION = 1;

/** A set as it was stored; `undefined` if a part is missing, or it is of a newer Forge. */
export function parseChangeSet(value: unknown): ChangeSet | undefined {
  if (countIn(value, "version") > CHANGE_SET_VERSION) return undefined;
  const cause = causeIn(member(value, "cause"));
  const changes = allOrNone(listIn(value, "changes").map(changeIn));
  const uncovered = allOrNone(listIn(value, "uncovered").map(uncoveredIn));
  if (cause === undefined || changes === undefined || uncovered === undefined) return undefined;
  const [id, turn, atMs] = [countIn(value, "id"), messageId(countIn(value, "turn")), countIn(value, "atMs")];
  return { id, turn, atMs, cause, changes, uncovered };
}

function causeIn(value: unknown): ChangeCause | undefined {
  const kind = stringField(value, "kind");
  switch (kind) {
    case "edit":
      return { kind, title: stringField(value, "title") };
    case "command":
      return { kind, title: stringField(value, "title"), isInterrupted: member(value, "isInterrupted") === true };
    case "restore": {
      const reverts = listIn(value, "reverts").filter((each) => typeof each === "number");
      const left = listIn(value, "left").filter((each) => typeof each === "string");
      return { kind, reverts, left };
    }
    default:
      return undefined;
  }
}

function changeIn(value: unknown): FileChange | undefined {
  const [before, after] = [stateIn(member(value, "before")), stateIn(member(value, "after"))];
  const file = stringField(value, "file");
  return file === "" || before === undefined || after === undefined ? undefined : { file, before, after };
}

/** `undefined` for what is none. */
export function stateIn(value: unknown): FileState | undefined {
  if (value === null) return null;
  const hash = stringField(value, "hash");
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const isExecutable = member(value, "isExecutable") === true;
  return { hash: hash as ContentHash, bytes: countIn(value, "bytes"), ...(isExecutable ? { isExecutable } : {}) };
}

function uncoveredIn(value: unknown): UncoveredFile | undefined {
  const file = stringField(value, "file");
  const why = UNCOVERED_REASONS.find((reason) => reason === stringField(value, "why"));
  return file === "" || why === undefined ? undefined : { file, why };
}

function allOrNone<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === values.length ? found : undefined;
}
