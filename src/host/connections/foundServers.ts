/**
 * Model servers on this machine. Searched for in the background while nothing that is set up can answer, or when the
 * user asks. Offered only: nothing is sent to a server before the user accepts it.
 */

import { findLocalServers, type LocalServer, type LocalServerKind } from "../../adapters/localServers/localServers.ts";
import type { Clock } from "../../core/clock.ts";
import type { FoundServerView } from "../../protocol/toView.ts";
import { Emitter } from "../background/emitter.ts";

/** Label and the command that accepts the server. */
export const SERVER_LABELS: Readonly<Record<LocalServerKind, Pick<FoundServerView, "label" | "command">>> = {
  ollama: { label: "Ollama", command: "useOllama" },
  lmStudio: { label: "LM Studio", command: "useLmStudio" },
  llamaCpp: { label: "llama.cpp", command: "useLlamaCpp" },
  vllm: { label: "vLLM", command: "useVllm" },
};

/** Minimum interval between automatic searches. */
const MIN_SEARCH_INTERVAL_MS = 10_000;

export class FoundServers {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #changed = new Emitter<void>();
  #found: readonly LocalServer[] = [];
  #searchedAtMs = -Infinity;

  /** Fires when the result of a search differs from the one before. */
  readonly onDidChange = this.#changed.event;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Result of the last search. */
  get found(): readonly LocalServer[] {
    return this.#found;
  }

  get views(): readonly FoundServerView[] {
    return this.#found.map(({ kind, modelCount }) => ({ ...SERVER_LABELS[kind], modelCount }));
  }

  /** Searches now. */
  async search(): Promise<readonly LocalServer[]> {
    this.#searchedAtMs = this.#clock.nowMs();
    const before = JSON.stringify(this.#found);
    this.#found = await findLocalServers();
    if (JSON.stringify(this.#found) !== before) this.#changed.fire();
    return this.#found;
  }

  /** Searches if {@link MIN_SEARCH_INTERVAL_MS} have passed since the last search. */
  async searchIfDue(): Promise<void> {
    if (this.#clock.nowMs() - this.#searchedAtMs >= MIN_SEARCH_INTERVAL_MS) await this.search();
  }
}
