/**
 * Model servers that were found on this machine. Looked for in the background, and only while nothing that the user has
 * set up can answer, or when the user asks. A found one is offered; nothing is sent to it before the user takes it.
 */

import { findLocalServers, type LocalServer, type LocalServerKind } from "../../adapters/localServers/localServers.ts";
import type { Clock } from "../../core/clock.ts";
import type { FoundServerView } from "../../protocol/toView.ts";
import { Emitter } from "../background/emitter.ts";

/** What each is called, and the command that takes it. */
export const SERVER_WORDS: Readonly<Record<LocalServerKind, Pick<FoundServerView, "label" | "command">>> = {
  ollama: { label: "Ollama", command: "useOllama" },
  lmStudio: { label: "LM Studio", command: "useLmStudio" },
  llamaCpp: { label: "llama.cpp", command: "useLlamaCpp" },
  vllm: { label: "vLLM", command: "useVllm" },
};

/** It is not looked again by itself before so much time has passed. */
const REST_MS = 10_000;

/** Looks, and keeps what was found. */
export class FoundServers {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #changed = new Emitter<void>();
  #found: readonly LocalServer[] = [];
  #lookedAtMs = -Infinity;

  /** Fires when others are there than before. */
  readonly onDidChange = this.#changed.event;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
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
    this.#lookedAtMs = this.#clock.nowMs();
    const before = JSON.stringify(this.#found);
    this.#found = await findLocalServers();
    if (JSON.stringify(this.#found) !== before) this.#changed.fire();
    return this.#found;
  }

  /** Looks, unless it was done a moment ago. */
  async lookAgain(): Promise<void> {
    if (this.#clock.nowMs() - this.#lookedAtMs >= REST_MS) await this.look();
  }
}
