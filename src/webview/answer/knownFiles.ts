/** Which names of files are files of the workspace: asked of the host in batches, once for each name in a while. */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type CodeToHost, MOST_FILE_NAMES } from "../../protocol/codeView.ts";

/** A pause in which the names of one drawing gather. */
const gatherMs = 80;
/** After this time a file that was not there may be: a model writes files, too. */
const askedAgainMs = 20_000;
/** Names that are remembered. */
const mostNames = 2_000;

interface KnownName {
  readonly isThere: Signal<boolean>;
  askedAtMs: number;
}

/** What is known of names. */
export class KnownFiles {
  readonly #post: (message: CodeToHost) => void;
  readonly #names = new Map<string, KnownName>();
  #due = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (message: CodeToHost) => void) {
    this.#post = post;
  }

  /** Whether `path` is in the workspace, as far as that is known. */
  isThere(path: string): ReadonlySignal<boolean> {
    return this.#of(path).isThere;
  }

  /** Asks for `path`, unless that was done a short while ago. */
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

  /** These are there. */
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
