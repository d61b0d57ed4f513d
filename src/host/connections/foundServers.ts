/**
 * Model servers that were found on this machine. Looked for in the background, and only while nothing that the user has
 * set up can answer, or when the user asks. A found one is offered; nothing is sent to it before the user takes it.
 */

import type { LocalServer, LocalServerKind } from "../../adapters/localServers/localServers.ts";
import type { FoundServerView } from "../../protocol/toView.ts";

/** What each is called, and the command that takes it. */
export const SERVER_WORDS: Readonly<Record<LocalServerKind, Pick<FoundServerView, "label" | "command">>> = {
  ollama: { label: "Ollama", command: "useOllama" },
  lmStudio: { label: "LM Studio", command: "useLmStudio" },
  llamaCpp: { label: "llama.cpp", command: "useLlamaCpp" },
  vllm: { label: "vLLM", command: "useVllm" },
};

/** It is not looked again by itself before so much time has passed. */
const REST_MS = 10_000;

/** What looking needs. */
export interface FoundServersOptions {
  readonly find: () => Promise<readonly LocalServer[]>;
  readonly nowMs: () => number;
  /** Others are there than before. */
  readonly changed: () => void;
}

/** Looks, and keeps what was found. */
export class FoundServers {
  readonly #options: FoundServersOptions;
  #found: readonly LocalServer[] = [];
  #lookedAtMs = -Infinity;

  constructor(options: FoundServersOptions) {
    this.#options = options;
  }

  /** What was found when it was last looked. */
  get found(): readonly LocalServer[] {
    return this.#found;
  }

  /** What was found, as the view shows it. */
  get shown(): readonly FoundServerView[] {
    return this.#found.map(({ kind, modelCount }) => ({ ...SERVER_WORDS[kind], modelCount }));
  }

  /** Looks now. */
  async look(): Promise<readonly LocalServer[]> {
    this.#lookedAtMs = this.#options.nowMs();
    const before = JSON.stringify(this.#found);
    this.#found = await this.#options.find();
    if (JSON.stringify(this.#found) !== before) this.#options.changed();
    return this.#found;
  }

  /** Looks, unless it was done a moment ago. */
  async lookAgain(): Promise<void> {
    if (this.#options.nowMs() - this.#lookedAtMs >= REST_MS) await this.look();
  }
}
