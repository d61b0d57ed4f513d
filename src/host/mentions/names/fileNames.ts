/**
 * The names of all files and folders of the workspace, in a thread of their own: read when they are first asked for,
 * and kept fresh by watching. The thread ends when nobody has asked for a while.
 */

import path from "node:path";
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { displayPathIn, findFilesIn } from "../../tools/findFiles.ts";
import { threadOptions, walkRequest } from "../../tools/files/workspaceFiles.ts";
import { isInGitFolder } from "../../tools/paths/guardedFiles.ts";
import { placeOfUri, rootPlaces } from "../../tools/workspaceRoots.ts";
import { type FoundNames, type FromNames, NAMES_MEMORY, type ToNames } from "./namesMessages.ts";

/** Files that are listed; where there are more, the menu says so. */
export const MOST_FILES = 200_000;
const IDLE_LIMIT_MS = 5 * 60_000;
/** Names are read anew this long after the last change, for ignore rules may apply to what came. */
const SETTLE_MS = 1_500;
/** A virtual file system answers slowly. */
const MOST_VIRTUAL = 20_000;
const CHOICE = { glob: undefined, includeIgnored: false, most: MOST_FILES };

export interface NamesState {
  /** The names were being read for the first time when they were asked for: later there may be better ones. */
  readonly isReading: boolean;
}

export class FileNames implements vscode.Disposable {
  readonly #dist: string;
  #thread: Thread | undefined;

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string) {
    this.#dist = dist;
  }

  /** The best `most` paths like `query`; `undefined` when cancelled. */
  async find(query: string, most: number, cancel: CancelSignal): Promise<(FoundNames & NamesState) | undefined> {
    this.#thread ??= new Thread(this.#dist, () => {
      this.#thread = undefined;
    });
    const isReading = this.#thread.reading !== undefined;
    const found = await this.#thread.find(query, most);
    return cancel.aborted || found === undefined ? undefined : { ...found, isReading };
  }

  /** `undefined` unless names are being read for the first time; resolves when they have been read. */
  get reading(): Promise<void> | undefined {
    return this.#thread?.reading;
  }

  dispose(): void {
    this.#thread?.end();
  }
}

class Thread {
  readonly #worker: Worker;
  readonly #dist: string;
  readonly #ended: () => void;
  readonly #asked = new Map<number, (found: FoundNames | undefined) => void>();
  readonly #watching: vscode.Disposable;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #virtual: readonly string[] = [];
  #walked = (): void => undefined;
  /** `undefined` after the first reading. */
  reading: Promise<void> | undefined;

  constructor(dist: string, ended: () => void) {
    this.#dist = dist;
    this.#ended = ended;
    this.#worker = new Worker(path.join(dist, "namesWorker.cjs"), { resourceLimits: NAMES_MEMORY });
    this.#worker.on("message", this.#receive.bind(this));
    this.#worker.on("error", () => {
      this.end();
    });
    const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    const again = (): void => {
      this.#walkLater();
    };
    this.#watching = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate((uri) => {
        this.#changed(uri, true);
      }),
      watcher.onDidDelete((uri) => {
        this.#changed(uri, false);
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("files.exclude") || change.affectsConfiguration("search")) again();
      }),
    );
    const onDisk = new Promise<void>((resolve) => {
      this.#walked = resolve;
    });
    this.#walk();
    this.reading = Promise.all([onDisk, this.#walkVirtual()]).then(() => {
      this.reading = undefined;
    });
  }

  find(query: string, most: number): Promise<FoundNames | undefined> {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(this.end.bind(this), IDLE_LIMIT_MS);
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#post({ kind: "find", id, query, most });
    });
  }

  end(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#settling);
    this.#watching.dispose();
    this.#ended();
    this.#walked();
    void this.#worker.terminate();
    for (const resolve of this.#asked.values()) resolve(undefined);
    this.#asked.clear();
  }

  #post(message: ToNames): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromNames): void {
    if (message.kind === "walked") {
      this.#walked();
      return;
    }
    this.#asked.get(message.id)?.(message);
    this.#asked.delete(message.id);
  }

  #walk(): void {
    const places = rootPlaces();
    const onDisk = places.filter(({ root }) => root.folderPath !== undefined);
    const walks = onDisk.map((place) => ({
      walk: walkRequest(place, CHOICE),
      prefix: places.length === 1 ? "" : `${place.shown}/`,
    }));
    this.#post({ kind: "walk", folders: threadOptions(this.#dist).folders, walks, most: MOST_FILES });
    if (this.#virtual.length > 0) this.#post({ kind: "change", added: this.#virtual, removed: [] });
  }

  async #walkVirtual(): Promise<void> {
    const never = new AbortController().signal;
    const paths: string[] = [];
    for (const place of rootPlaces().filter(({ root }) => root.folderPath === undefined)) {
      const found = await findFilesIn(this.#dist, place, { ...CHOICE, most: MOST_VIRTUAL - paths.length }, never);
      if (found.ok) paths.push(...found.value.files.map((file) => displayPathIn(place, file)));
    }
    this.#virtual = paths;
    if (paths.length > 0) this.#post({ kind: "change", added: paths, removed: [] });
  }

  #changed(uri: vscode.Uri, isThere: boolean): void {
    const place = placeOfUri(uri);
    if (place === undefined || isInGitFolder(place.relative)) return;
    this.#post({ kind: "change", added: isThere ? [place.shown] : [], removed: isThere ? [] : [place.shown] });
    this.#walkLater();
  }

  #walkLater(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#walk();
    }, SETTLE_MS);
  }
}
