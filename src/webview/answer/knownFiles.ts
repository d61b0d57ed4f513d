/** Cache of the file names that exist in the workspace. Asks the host in batches, once per name and interval. */
import type { CodeToHost } from "../../protocol/toHost.ts";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { MAX_FILE_NAMES } from "../../protocol/codeView.ts";

/** Delay in which the names of one render are collected. */
const batchDelayMs = 80;
/** A missing file is asked for again after this time: tools create files. */
const retryAfterMs = 20_000;
/** Names in the cache; the oldest is evicted. */
const maxNames = 2_000;

interface KnownName {
  readonly exists: Signal<boolean>;
  askedAtMs: number;
}

export class KnownFiles {
  readonly #post: (message: CodeToHost) => void;
  readonly #names = new Map<string, KnownName>();
  #pending = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (message: CodeToHost) => void) {
    this.#post = post;
  }

  /** False until the host has confirmed it. */
  exists(path: string): ReadonlySignal<boolean> {
    return this.#entryFor(path).exists;
  }

  /** Asks the host, unless the file is known or was asked for recently. */
  request(path: string): void {
    const name = this.#entryFor(path);
    const nowMs = Date.now();
    if (name.exists.peek() || nowMs - name.askedAtMs < retryAfterMs) return;
    name.askedAtMs = nowMs;
    this.#pending.add(path);
    this.#timer ??= setTimeout(() => {
      this.#postPending();
    }, batchDelayMs);
  }

  /** Marks `paths` as existing. */
  addExisting(paths: readonly string[]): void {
    for (const path of paths) this.#entryFor(path).exists.value = true;
  }

  #postPending(): void {
    this.#timer = undefined;
    const paths = [...this.#pending];
    this.#pending = new Set();
    for (let start = 0; start < paths.length; start += MAX_FILE_NAMES) {
      this.#post({ kind: "findFiles", paths: paths.slice(start, start + MAX_FILE_NAMES) });
    }
  }

  #entryFor(path: string): KnownName {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const name: KnownName = { exists: signal(false), askedAtMs: -Infinity };
    this.#names.set(path, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > maxNames && oldest !== undefined) this.#names.delete(oldest);
    return name;
  }
}
