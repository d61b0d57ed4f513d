/** The thread's side: reads folders in slices, and answers between them. */

import type { MessagePort } from "node:worker_threads";
import { LocalAccess } from "../../tools/files/localAccess.ts";
import { DiskWalk, walkDisk } from "../../tools/files/walkDisk.ts";
import type { FilteredFolder } from "../../tools/search/walkRules.ts";
import { isTakenName } from "../../tools/paths/requestedPath.ts";
import type { PlaceOnDisk, FromNames, ToNames } from "./namesMessages.ts";
import { NameList } from "./nameList.ts";

const SLICE_MS = 20;

type WalkMessage = Extract<ToNames, { kind: "walk" }>;

export function serveNames(port: MessagePort): void {
  let names = new NameList(0);
  let walked: WalkMessage | undefined;
  /** Ends the walk that is under way. */
  let walk: { readonly names: NameList; readonly changed: PlaceOnDisk[] } | undefined;
  let virtual: readonly string[] = [];
  const tell = (message: FromNames): void => {
    port.postMessage(message);
  };

  const begin = (message: WalkMessage): void => {
    walked = message;
    const mine = { names: new NameList(message.most), changed: [] };
    if (names.size === 0) names = mine.names; // the first names are found while they are read
    walk = mine;
    const begunMs = performance.now();
    let count = 0;
    const files = pathsOf(message);
    inSlices(
      () => {
        const next = walk === mine ? files.next() : undefined;
        if (next === undefined || next.done === true) return false;
        if (mine.names.add(next.value)) count++;
        return !mine.names.isCut;
      },
      () => {
        if (walk !== mine) return; // another walk has begun
        walk = undefined;
        names = mine.names;
        names.filled();
        names.replace([], virtual);
        refresh(mine.changed); // what changed before and after the walk came there
        tell({ kind: "walked", count, ms: performance.now() - begunMs });
      },
    );
  };

  const refresh = (folders: readonly PlaceOnDisk[]): void => {
    if (walked === undefined || folders.length === 0) return;
    const { walks, folders: absolute } = walked;
    const access = new LocalAccess(absolute);
    const its = new Map(walks.map((each) => [each.walk.rootIndex, { ...each, disk: new DiskWalk(access, each.walk) }]));
    const read = new Map<string, ReadonlySet<string> | undefined>();
    const more: string[] = [];
    const steps = (function* (): Generator<undefined, undefined> {
      for (const { rootIndex, relative } of folders) {
        const root = its.get(rootIndex);
        if (root === undefined) continue;
        const folder = root.disk.folderAt(relative);
        const sifted = folder === undefined ? undefined : root.disk.read(folder);
        const below = sifted?.folders ?? [];
        read.set(`${root.prefix}${relative}`.replace(/\/$/, ""), sifted && pathsIn(root.prefix, sifted));
        yield;
        if (!names.isFilled) continue; // the walk comes to new folders, or they are read after it
        for (const each of below) {
          if (names.hasFolder(`${root.prefix}${each.relative}/`)) continue;
          for (const file of root.disk.files([each])) {
            if (isTakenName(file.relative)) more.push(root.prefix + file.relative);
            yield;
          }
        }
      }
      return undefined;
    })();
    inSlices(
      () => steps.next().done !== true,
      () => {
        names.update(read, more);
      },
    );
  };

  const isFile = ({ rootIndex, relative }: PlaceOnDisk): boolean => {
    const located = new LocalAccess(walked?.folders ?? []).locate(rootIndex, relative);
    return located.ok && located.value.kind === "file";
  };

  port.on("message", (message: ToNames) => {
    switch (message.kind) {
      case "walk":
        begin(message);
        break;
      case "changed":
        walk?.changed.push(...message.folders);
        refresh(message.folders);
        break;
      case "virtual":
        names.replace(virtual, message.paths);
        virtual = message.paths;
        break;
      case "find": {
        const { id, query, most, place } = message;
        const found = { paths: names.best(query, most), looked: names.size, isCut: names.isCut };
        tell({ kind: "found", id, ...found, isFile: place !== undefined && isFile(place) });
      }
    }
  });
}

/** Of a folder: its files, and its folders with a slash at the end. */
function pathsIn(prefix: string, { files, folders }: FilteredFolder): ReadonlySet<string> {
  const taken = files.filter(({ relative }) => isTakenName(relative)).map(({ relative }) => prefix + relative);
  return new Set([...taken, ...folders.map(({ relative }) => `${prefix}${relative}/`)]);
}

/** Takes steps until one returns false; other messages are answered between slices. */
function inSlices(step: () => boolean, done: () => void): void {
  const slice = (): void => {
    const endMs = performance.now() + SLICE_MS;
    while (performance.now() < endMs) {
      if (step()) continue;
      done();
      return;
    }
    setImmediate(slice);
  };
  slice();
}

function* pathsOf({ folders, walks }: WalkMessage): Generator<string, undefined> {
  const access = new LocalAccess(folders);
  for (const { walk, prefix } of walks)
    for (const { relative } of walkDisk(access, walk)) if (isTakenName(relative)) yield prefix + relative;
  return undefined;
}
