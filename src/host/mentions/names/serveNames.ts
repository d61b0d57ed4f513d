/** The thread's side: walks the folders in slices, and answers between them. */

import type { MessagePort } from "node:worker_threads";
import { LocalAccess } from "../../tools/files/localAccess.ts";
import { walkDisk } from "../../tools/files/walkDisk.ts";
import { isTakenName } from "../../tools/paths/requestedPath.ts";
import type { FromNames, ToNames } from "./namesMessages.ts";
import { PathIndex } from "./pathIndex.ts";

const SLICE_MS = 20;

/** Paths with the folders that they are in. */
class Names {
  readonly index = new PathIndex();
  readonly #folders = new Set<string>();
  readonly #removed = new Set<string>();
  isCut = false;

  add(path: string): void {
    if (this.#removed.delete(path)) return; // it is in the index
    this.index.add(path);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at + 1);
      if (this.#folders.has(folder)) break; // and so are its parents
      this.#folders.add(folder);
      this.index.add(folder);
    }
  }

  remove(path: string): void {
    this.#removed.add(path);
  }

  best(query: string, most: number): readonly string[] {
    const found = this.index.best(query, most + this.#removed.size);
    const isThere = (path: string): boolean => {
      if (this.#removed.has(path)) return false;
      return ![...this.#removed].some((gone) => path.startsWith(`${gone}/`));
    };
    return found.filter(isThere).slice(0, most);
  }
}

export function serveNames(port: MessagePort): void {
  let names = new Names();
  let walking: { readonly names: Names } | undefined;
  const tell = (message: FromNames): void => {
    port.postMessage(message);
  };
  const walk = ({ folders, walks, most }: Extract<ToNames, { kind: "walk" }>): void => {
    const isFirst = names.index.size === 0;
    const mine = { names: isFirst ? names : new Names() };
    walking = mine;
    const begunMs = performance.now();
    const files = pathsOf(folders, walks);
    let count = 0;
    const slice = (): void => {
      if (walking !== mine) return; // another walk has begun
      const endMs = performance.now() + SLICE_MS;
      while (performance.now() < endMs) {
        const next = files.next();
        if (next.done !== true && count < most) {
          mine.names.add(next.value);
          count++;
          continue;
        }
        mine.names.isCut = next.done !== true;
        names = mine.names;
        walking = undefined;
        tell({ kind: "walked", count, ms: performance.now() - begunMs });
        return;
      }
      setImmediate(slice);
    };
    slice();
  };
  port.on("message", (message: ToNames) => {
    if (message.kind === "walk") walk(message);
    else if (message.kind === "change") {
      for (const each of new Set([names, walking?.names])) {
        for (const path of message.removed) each?.remove(path);
        for (const path of message.added) each?.add(path);
      }
    } else {
      const { id, query, most } = message;
      tell({ kind: "found", id, paths: names.best(query, most), looked: names.index.size, isCut: names.isCut });
    }
  });
}

function* pathsOf(
  folders: readonly string[],
  walks: Extract<ToNames, { kind: "walk" }>["walks"],
): Generator<string, undefined> {
  const access = new LocalAccess(folders);
  for (const { walk, prefix } of walks)
    for (const { relative } of walkDisk(access, walk)) if (isTakenName(relative)) yield prefix + relative;
  return undefined;
}
