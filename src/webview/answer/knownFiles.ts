/** Cache of the file names that exist in the workspace. Asks the host in batches, once per name and interval. */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type CodeToHost, MOST_FILE_NAMES } from "../../protocol/codeView.ts";

/** Delay in which the names of one render are collected. */
const gatherMs = 80;
/** A missing file is asked for again after this time: tools create files. */
const askedAgainMs = 20_000;
/** Names in the cache; the oldest is evicted. */
const mostNames = 2_000;

interface KnownName {
  readonly isThere: Signal<boolean>;
  askedAtMs: number;
}

export class KnownFiles {
  readonly #post: (message: CodeToHost) => void;
  readonly #names = new Map<string, KnownName>();
  #due = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (message: CodeToHost) => void) {
    this.#post = post;
  }

  /** False until the host has confirmed it. */
  isThere(path: string): ReadonlySignal<boolean> {
    return this.#of(path).isThere;
  }

  /** Asks the host, unless the file is known or was asked for recently. */
  ask(path: string): void {
    const name = this.#of(path);
    const nowMs = Date.now();
    if (name.isThere.peek() || nowMs - name.askedAtMs < askedAgainMs) return;
    name.askedAtMs = nowMs;
    this.#due.add(path);
    this.#timer ??= setTimeout(() => {
      this.#askDue();
    }, gatherMs);
  }

  /** Marks `paths` as existing. */
  receive(paths: readonly string[]): void {
    for (const path of paths) this.#of(path).isThere.value = true;
  }

  #askDue(): void {
    this.#timer = undefined;
    const paths = [...this.#due];
    this.#due = new Set();
    for (let start = 0; start < paths.length; start += MOST_FILE_NAMES) {
      this.#post({ kind: "findFiles", paths: paths.slice(start, start + MOST_FILE_NAMES) });
    }
  }

  #of(path: string): KnownName {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const name: KnownName = { isThere: signal(false), askedAtMs: -Infinity };
    this.#names.set(path, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > mostNames && oldest !== undefined) this.#names.delete(oldest);
    return name;
  }
}
