/**
 * Keeps what other tools write: imports what is new in the folders that the user named, when a window opens and when
 * something changes there. One window of all does it. The folders are only read.
 */

import path from "node:path";
import { nodeFiles } from "../../../adapters/node/files.ts";
import { acquireLease, type Lease } from "../../../adapters/node/lease.ts";
import type { Clock } from "../../../core/clock.ts";
import { WorkQueue } from "../../../core/workQueue.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { Log } from "../../editor/log.ts";
import type { Importing, ImportSummary } from "./importing.ts";
import { faultText, isNews } from "./importList.ts";
import { readKeptPlaces, type KeptPlace } from "./keptPlaces.ts";
import { importingFolder, KEPT_FILE } from "./knownImports.ts";
import { placeKey } from "./toolPlaces.ts";

/** Calls `onChange` when a file that matches appears, changes or goes. */
export type WatchFiles = (folder: string, pattern: string, onChange: () => void) => { dispose(): void };

/** A tool writes many lines in a row. */
const QUIET_MS = 10_000;
/** Changes that never end are not waited for longer. */
const LONGEST_WAIT_MS = 120_000;
/** Another window keeps, or imports; it may be closed by then. */
const RETRY_MS = 60_000;
/** The editor needs a moment until it watches, more on a busy machine, and what changes before is not told. */
const FIRST_MS = 120_000;
const FIRST_EVERY_MS = 30_000;
/** Some disks, as those of a network, tell of no changes. */
const REGULAR_MS = 600_000;

export interface KeepingServices {
  readonly importing: Pick<Importing, "find" | "importAll">;
  readonly folders: ForgeFolders;
  readonly watch: WatchFiles;
  readonly clock: Clock;
  readonly log: Pick<Log, "info">;
  readonly reportBug: (error: unknown) => void;
}

export class Keeping {
  readonly #services: KeepingServices;
  readonly #work = new WorkQueue();
  readonly #stopped = new AbortController();
  /** Held by the window that keeps. */
  #lease: Lease | undefined;
  #watched: readonly { dispose(): void }[] = [];
  #watchedKeys = "";
  #watchedSinceMs = 0;
  #cancelLook: (() => void) | undefined;
  /** Of the first change that was not looked at. */
  #waitingSinceMs: number | undefined;
  /** Times of the last changes of files that were looked at: they are looked at again when they have others. */
  readonly #seen = new Map<string, number>();

  constructor(services: KeepingServices) {
    this.#services = services;
  }

  /** Also after the user has changed what is kept. Resolves when what is there now has been looked at. */
  start(): Promise<void> {
    return this.#work.run(() => this.#look());
  }

  async dispose(): Promise<void> {
    this.#stopped.abort();
    this.#cancelLook?.();
    this.#unwatch();
    await this.#work.idle();
    await this.#lease?.release();
  }

  async #look(): Promise<void> {
    const { folders, importing, log } = this.#services;
    if (this.#stopped.signal.aborted) return;
    const places = await readKeptPlaces(folders);
    if (places.length === 0 && this.#lease === undefined) return;
    if (!(await this.#isChosen())) {
      this.#lookLater(RETRY_MS);
      return;
    }
    this.#watchAll(places);
    this.#waitingSinceMs = undefined;
    if (places.length === 0) return;
    const watchedMs = this.#services.clock.nowMs() - this.#watchedSinceMs;
    this.#lookLater(watchedMs < FIRST_MS ? FIRST_EVERY_MS : REGULAR_MS);
    const found = await importing.find(places, this.#stopped.signal, undefined, this.#seen);
    if (!found.ok) {
      this.#lookLater(RETRY_MS);
      return;
    }
    const { files, known } = found.value;
    const news = files.filter((file) => isNews(file, known)).map(({ file }) => file);
    const imported = news.length === 0 ? undefined : await importing.importAll(news, this.#stopped.signal);
    if (imported?.ok === false) {
      this.#lookLater(RETRY_MS);
      return;
    }
    const busy = new Set(imported?.value.busy);
    for (const { file, modifiedMs } of files) if (!busy.has(file)) this.#seen.set(file, modifiedMs);
    if (imported !== undefined) log.info(logLine(imported.value));
    if (busy.size > 0) this.#lookLater(RETRY_MS);
  }

  /** True in the window that keeps. */
  async #isChosen(): Promise<boolean> {
    if (this.#lease !== undefined) return true;
    const folder = path.join(importingFolder(this.#services.folders), "keeping");
    await nodeFiles.makeFolder(folder);
    const lease = await acquireLease(folder);
    if (lease.ok) this.#lease = lease.value;
    return lease.ok;
  }

  #watchAll(places: readonly KeptPlace[]): void {
    const keys = places.map(placeKey).join("\n");
    if (keys === this.#watchedKeys && this.#watched.length > 0) return;
    this.#unwatch();
    this.#watchedSinceMs = this.#services.clock.nowMs();
    this.#watchedKeys = keys;
    const { watch, folders } = this.#services;
    const changed = (): void => {
      this.#noteChange();
    };
    this.#watched = [
      ...places.map(({ folder, pattern }) => watch(folder, pattern, changed)),
      // Another window may have been told to keep more, or less.
      watch(importingFolder(folders), KEPT_FILE, changed),
    ];
  }

  #unwatch(): void {
    for (const watched of this.#watched) watched.dispose();
    this.#watched = [];
  }

  #noteChange(): void {
    const nowMs = this.#services.clock.nowMs();
    this.#waitingSinceMs ??= nowMs;
    const leftMs = this.#waitingSinceMs + LONGEST_WAIT_MS - nowMs;
    this.#lookLater(Math.max(0, Math.min(QUIET_MS, leftMs)));
  }

  #lookLater(delayMs: number): void {
    this.#cancelLook?.();
    if (this.#stopped.signal.aborted) return;
    this.#cancelLook = this.#services.clock.after(delayMs, () => {
      this.start().catch(this.#services.reportBug);
    });
  }
}

function logLine({ created, updated, busy, failed }: ImportSummary): string {
  const faults = failed.map(({ file, error }) => faultText(file, error));
  const counts = `kept ${created.length} new, ${updated.length} grown, ${busy.length} in use, ${failed.length} failed`;
  return [counts, ...faults].join("; ");
}
