/** A replica's folder on this machine, with faults. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import type { ReplicaFailure } from "../../../src/core/replica/logReplica.ts";
import { type CallFault, FaultyFolder } from "./faultyFolder.ts";
import { Gate, type LastingFault, type TestedPlace } from "./replicaFaults.ts";

export interface FolderPlace extends TestedPlace {
  readonly folder: FaultyFolder;
  readonly root: string;
}

export function folderPlace(): FolderPlace {
  const parent = mkdtempSync(path.join(tmpdir(), "forge-replica-"));
  const root = path.join(parent, "replica");
  mkdirSync(root);
  const folder = new FaultyFolder();
  return {
    folder,
    root,
    open: () => new ReplicaFolder(root, { calls: folder.calls }),
    refusesSecond: true,
    remove: () => rmSync(parent, { recursive: true }),
    faults: {
      fault: (fault) => folder.putFaults.push(fault),
      hold: () => {
        const gate = new Gate();
        folder.putFaults.push(gate);
        return gate;
      },
      lag: () => {
        folder.listed = entriesBelow(root);
        return () => {
          folder.listed = undefined;
        };
      },
    },
  };
}

function entriesBelow(root: string): FaultyFolder["listed"] {
  if (!existsSync(root)) return new Map();
  const folders = readdirSync(root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isDirectory());
  const paths = [root, ...folders.map(({ parentPath, name }) => path.join(parentPath, name))];
  return new Map(paths.map((folder) => [folder, readdirSync(folder, { withFileTypes: true })]));
}

const WRITING = new Set(["writeNew", "makeFolder", "complete", "unlink"]);

function failing(title: string, reason: ReplicaFailure, fails: CallFault): LastingFault<FolderPlace> {
  return {
    title,
    reason,
    begin: ({ folder }) => {
      folder.fails = fails;
      return () => {
        folder.fails = () => undefined;
      };
    },
  };
}

export const FOLDER_FAULTS: readonly LastingFault<FolderPlace>[] = [
  failing("a full disk", "full", (call) => (WRITING.has(call) ? "ENOSPC" : undefined)),
  failing("a quota, seen when what was written is synced", "full", (call) =>
    call === "syncFolder" ? "EDQUOT" : undefined,
  ),
  failing("a read-only file system", "readOnly", (call) => (WRITING.has(call) ? "EROFS" : undefined)),
  failing("rights that were taken away", "denied", () => "EACCES"),
  failing("a share whose server is away", "unreachable", () => "EHOSTDOWN"),
  failing("a stale handle of a share", "unreachable", () => "ESTALE"),
  failing("a share on Windows that does not answer", "unreachable", () => "UNKNOWN"),
  failing("too many open files", "busy", () => "EMFILE"),
  {
    title: "a folder that is gone",
    reason: "missing",
    begin: ({ root }: FolderPlace) => {
      renameSync(root, `${root}-away`);
      return () => {
        renameSync(`${root}-away`, root);
      };
    },
  },
];
