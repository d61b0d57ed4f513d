/**
 * Memory of this machine between two checks of the replica, in one file. All of it can be lost: then everything is listed
 * and compared once more.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../../core/ids.ts";
import { countIn, listIn, parseJson, stringField } from "../../../core/json.ts";
import type { SettledConversation } from "../../../core/replica/placeScan.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { fileFailure, type Files, nodeFiles, replaceFile, undefinedIfMissing } from "../files.ts";

export interface ReplicaState {
  /** Root of the replica that all this is of. */
  readonly root: string;
  /** Grows while thousands are worked on, so it is not copied for each. */
  readonly settled: Map<ConversationId, SettledConversation>;
  /** Names of the news that were read. */
  readonly seen: ReadonlySet<string>;
  /** Deleted for good on other machines, and moved to the trash here. */
  readonly followed: ReadonlySet<ConversationId>;
  /** When everything was listed. */
  readonly listedAtMs: number;
}

const FILE = "state.json";

export async function readReplicaState(folder: string, root: string, files: Files = nodeFiles): Promise<ReplicaState> {
  try {
    const read = parseJson((await undefinedIfMissing(files.readText(join(folder, FILE)))) ?? "");
    if (read.ok && stringField(read.value, "root") === root) return stateIn(read.value, root);
  } catch (error) {
    fileFailure(error); // rethrows a bug; otherwise everything is listed
  }
  return { root, settled: new Map(), seen: new Set(), followed: new Set(), listedAtMs: 0 };
}

export async function writeReplicaState(
  folder: string,
  { settled, seen, followed, ...state }: ReplicaState,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const text = JSON.stringify({
    ...state,
    followed: [...followed],
    settled: Array.from(settled, ([id, each]) => ({ id, ...each })),
    seen: [...seen],
  });
  try {
    await replaceFile(files, join(folder, FILE), text);
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

function stateIn(value: unknown, root: string): ReplicaState {
  const settled = listIn(value, "settled").flatMap((each): [ConversationId, SettledConversation][] => {
    const id = parseConversationId(stringField(each, "id"));
    const digest = stringField(each, "digest");
    return id === undefined || digest === "" ? [] : [[id, { records: countIn(each, "records"), digest }]];
  });
  const followed = listIn(value, "followed").flatMap((id) => parseConversationId(String(id)) ?? []);
  return {
    root,
    settled: new Map(settled),
    seen: new Set(listIn(value, "seen").map(String)),
    followed: new Set(followed),
    listedAtMs: countIn(value, "listedAtMs"),
  };
}
