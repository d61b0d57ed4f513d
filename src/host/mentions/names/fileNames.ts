/**
 * The names of all files and folders of the workspace, in a thread of their own: read when they are first asked for,
 * and kept fresh by watching. The thread ends when nobody has asked for a while.
 */

import path from "node:path";
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import { displayPathIn, findFilesIn } from "../../tools/findFiles.ts";
import { threadOptions, walkRequest } from "../../tools/files/workspaceFiles.ts";
import { isInGitFolder } from "../../tools/paths/guardedFiles.ts";
import { asWritten, isTakenName } from "../../tools/paths/requestedPath.ts";
import { lastNameOf, type Place, placeOfUri, rootPlaces } from "../../tools/workspaceRoots.ts";
import { type PlaceOnDisk, type FoundNames, type FromNames, NAMES_MEMORY, type ToNames } from "./namesMessages.ts";

/** Names that are listed; where there are more, the menu says so. */
export const MOST_FILES = 200_000;
const IDLE_LIMIT_MS = 5 * 60_000;
/** Changes come in bursts: they are told together, this long after the first. */
const TOLD_AFTER_MS = 100;
/** Where more folders changed, or the editor may have left out events, all names are read anew. */
const MOST_FOLDERS = 500;
const MOST_EVENTS = 400;
const WALK_AFTER_BURST_MS = 1_000;
/** A virtual file system answers slowly. */
const MOST_VIRTUAL = 20_000;
const VIRTUAL_LIMIT_MS = 1_000;
const NOTHING = (): void => undefined;
const CHOICE = { glob: undefined, includeIgnored: false, most: MOST_FILES };

export interface NamesState {
  /** The names were being read for the first time when they were asked for: later there may be better ones. */
  readonly isReading: boolean;
}

export class FileNames implements vscode.Disposable {
  readonly #dist: string;
  readonly #clock: Clock;
  #thread: Thread | undefined;

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string, clock: Clock) {
    this.#dist = dist;
    this.#clock = clock;
  }

  /** The best `most` paths like `query`, and whether a file is at `place`; `undefined` when cancelled. */
  async find(
    query: string,
    most: number,
    cancel: CancelSignal,
    place?: PlaceOnDisk,
  ): Promise<(FoundNames & NamesState) | undefined> {
    this.#thread ??= new Thread(this.#dist, this.#clock, () => {
      this.#thread = undefined;
    });
    const isReading = this.#thread.reading !== undefined;
    const found = await this.#thread.find(query, most, place);
    if (cancel.aborted || found === undefined) return undefined;
    const paths = rootPlaces().length === 1 ? found.paths.map(asWritten) : found.paths;
    return { ...found, paths, isReading };
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
  readonly #clock: Clock;
  readonly #ended: () => void;
  readonly #asked = new Map<number, (found: FoundNames | undefined) => void>();
  readonly #watching: vscode.Disposable;
  readonly #stop = new AbortController();
  #lastId = 0;
  #stopIdle = NOTHING;
  /** Folders in which something changed, by address, until they are told. */
  readonly #changed = new Map<string, PlaceOnDisk>();
  #events = 0;
  #stopTelling: (() => void) | undefined;
  #stopWalk: (() => void) | undefined;
  /** `again`: something changed that the walk may have missed. */
  #walking: "no" | "once" | "again" = "no";
  #walkingVirtual: "no" | "once" | "again" = "no";
  readonly #firstVirtual: Promise<void>;
  #walked = (): void => undefined;
  /** `undefined` after the first reading. */
  reading: Promise<void> | undefined;
  readonly #virtualLimit: Promise<void>;

  constructor(dist: string, clock: Clock, ended: () => void) {
    this.#dist = dist;
    this.#clock = clock;
    this.#ended = ended;
    this.#worker = new Worker(path.join(dist, "namesWorker.cjs"), { resourceLimits: NAMES_MEMORY });
    this.#worker.on("message", this.#receive.bind(this));
    this.#worker.on("error", () => {
      this.end();
    });
    const files = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    const ignoreRules = vscode.workspace.createFileSystemWatcher("**/.gitignore", true, false, true);
    const note = this.#note.bind(this);
    const walkSoon = (): void => {
      this.#walkAfter(TOLD_AFTER_MS);
    };
    this.#watching = vscode.Disposable.from(
      files,
      ignoreRules,
      files.onDidCreate(note),
      files.onDidDelete(note),
      ignoreRules.onDidChange(walkSoon),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#walk();
        void this.#walkVirtual();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("files.exclude") || change.affectsConfiguration("search")) walkSoon();
      }),
    );
    const onDisk = new Promise<void>((resolve) => {
      this.#walked = resolve;
    });
    this.#walk();
    this.#firstVirtual = this.#walkVirtual();
    this.reading = Promise.all([onDisk, this.#firstVirtual]).then(() => {
      this.reading = undefined;
    });
    this.#virtualLimit = new Promise((resolve) => clock.after(VIRTUAL_LIMIT_MS, resolve));
  }

  async find(query: string, most: number, place: PlaceOnDisk | undefined): Promise<FoundNames | undefined> {
    this.#stopIdle();
    this.#stopIdle = this.#clock.after(IDLE_LIMIT_MS, this.end.bind(this));
    await Promise.race([this.#firstVirtual, this.#virtualLimit]);
    if (this.#stop.signal.aborted) return undefined;
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#post({ kind: "find", id, query, most, place });
    });
  }

  end(): void {
    for (const stop of [this.#stopIdle, this.#stopTelling, this.#stopWalk]) stop?.();
    this.#stop.abort();
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
    if (message.kind === "found") {
      this.#asked.get(message.id)?.(message);
      this.#asked.delete(message.id);
      return;
    }
    this.#walked();
    const isStale = this.#walking === "again";
    this.#walking = "no";
    if (isStale) this.#walk();
  }

  #walk(): void {
    const places = rootPlaces();
    const onDisk = places.filter(({ root }) => root.folderPath !== undefined);
    const walks = onDisk.map((place) => ({
      walk: walkRequest(place, { ...CHOICE, skipNested: true }),
      prefix: places.length === 1 ? "" : `${place.shown}/`,
    }));
    this.#walking = "once";
    this.#post({ kind: "walk", folders: threadOptions(this.#dist).folders, walks, most: MOST_FILES });
  }

  /** One walk at a time, for a stream of changes would never let one end. */
  #walkAfter(delayMs: number): void {
    this.#stopWalk ??= this.#clock.after(delayMs, () => {
      this.#stopWalk = undefined;
      if (this.#walking === "no") this.#walk();
      else this.#walking = "again";
    });
  }

  async #walkVirtual(): Promise<void> {
    if (this.#walkingVirtual !== "no") {
      this.#walkingVirtual = "again";
      return;
    }
    const places = rootPlaces().filter(({ root }) => root.folderPath === undefined);
    if (places.length === 0) {
      this.#post({ kind: "virtual", paths: [] });
      return;
    }
    this.#walkingVirtual = "once";
    const paths: string[] = [];
    for (const place of places) {
      const choice = { ...CHOICE, most: MOST_VIRTUAL - paths.length, skipNested: true };
      const found = await findFilesIn(this.#dist, place, choice, this.#stop.signal);
      if (!found.ok) continue;
      paths.push(...found.value.files.filter(isTakenName).map((file) => displayPathIn(place, file)));
    }
    if (this.#stop.signal.aborted) return;
    this.#post({ kind: "virtual", paths });
    const isStale = this.#wasChangedMeanwhile();
    this.#walkingVirtual = "no";
    if (isStale) await this.#walkVirtual();
  }

  #wasChangedMeanwhile(): boolean {
    return this.#walkingVirtual === "again";
  }

  /** A file or folder was made, renamed or removed. */
  #note(uri: vscode.Uri): void {
    const place = placeOfUri(uri);
    if (place === undefined || isInGitFolder(place.relative)) return;
    if (place.relative === "" || lastNameOf(uri) === ".gitignore") this.#walkAfter(TOLD_AFTER_MS);
    this.#events++;
    const folder = folderOf(place);
    this.#changed.set(`${String(folder.rootIndex)}:${folder.relative}`, folder);
    this.#stopTelling ??= this.#clock.after(TOLD_AFTER_MS, this.#tell.bind(this));
  }

  #tell(): void {
    this.#stopTelling = undefined;
    const roots = rootPlaces();
    const isVirtual = ({ rootIndex }: PlaceOnDisk): boolean => roots[rootIndex]?.root.folderPath === undefined;
    const changed = [...this.#changed.values()];
    const onDisk = changed.filter((folder) => !isVirtual(folder));
    if (changed.some(isVirtual)) void this.#walkVirtual();
    if (onDisk.length > MOST_FOLDERS || this.#events > MOST_EVENTS) this.#walkAfter(WALK_AFTER_BURST_MS);
    if (onDisk.length > 0) this.#post({ kind: "changed", folders: onDisk.slice(0, MOST_FOLDERS) });
    this.#changed.clear();
    this.#events = 0;
  }
}

function folderOf({ rootIndex, relative }: Place): PlaceOnDisk {
  return { rootIndex, relative: relative.split("/").slice(0, -1).join("/") };
}
