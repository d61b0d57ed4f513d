/** Windows that turned out to be smaller than their servers said; a server that says something else since is believed again. */

import type { ModelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";

interface CutWindow {
  readonly contextWindow: number;
  /** What the server had said; absent where it had not said anything yet. */
  readonly said: number | undefined;
}

/** What is planned with in place of what servers say. */
export class CutWindows {
  readonly #said = new Map<ModelId, number>();
  readonly #cut = new Map<ModelId, CutWindow>();

  /** What is to be planned with where a server says `limits`. */
  of(model: ModelId, limits: Partial<ModelLimits>): Partial<ModelLimits> {
    const said = limits.contextWindow;
    if (said !== undefined) this.#said.set(model, said);
    const cut = this.#cut.get(model);
    if (cut === undefined) return limits;
    if (said !== undefined && cut.said !== undefined && said !== cut.said) {
      this.#cut.delete(model);
      return limits;
    }
    this.#cut.set(model, { ...cut, said: cut.said ?? said });
    return { ...limits, contextWindow: cut.contextWindow };
  }

  /** A server holds only so much. */
  learn(model: ModelId, contextWindow: number): void {
    this.#cut.set(model, { contextWindow, said: this.#said.get(model) });
  }

  /** Forgets all. */
  clear(): void {
    this.#said.clear();
    this.#cut.clear();
  }
}
