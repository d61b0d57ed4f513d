/** Windows that turned out to be smaller than the server reported. Valid until the server reports another value. */

import type { ModelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";

interface CutWindow {
  readonly contextWindow: number;
  /** Absent when the server had not reported any. */
  readonly said: number | undefined;
}

export class CutWindows {
  readonly #said = new Map<ModelId, number>();
  readonly #cut = new Map<ModelId, CutWindow>();

  /** Limits to plan with when a server reports `limits`. */
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

  learn(model: ModelId, contextWindow: number): void {
    this.#cut.set(model, { contextWindow, said: this.#said.get(model) });
  }

  clear(): void {
    this.#said.clear();
    this.#cut.clear();
  }
}
