/** Windows that turned out to be smaller than the server reported. Valid until the server reports another value. */

import type { ModelId } from "../../core/ids.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";

interface CutWindow {
  readonly contextWindow: number;
  /** Absent when the server had not reported any. */
  readonly reported: number | undefined;
}

export class CutWindows {
  readonly #reported = new Map<ModelId, number>();
  readonly #cut = new Map<ModelId, CutWindow>();

  /** Limits to plan with when a server reports `limits`. */
  correctedLimits(model: ModelId, limits: Partial<ModelLimits>): Partial<ModelLimits> {
    const reported = limits.contextWindow;
    if (reported !== undefined) this.#reported.set(model, reported);
    const cut = this.#cut.get(model);
    if (cut === undefined) return limits;
    if (reported !== undefined && cut.reported !== undefined && reported !== cut.reported) {
      this.#cut.delete(model);
      return limits;
    }
    this.#cut.set(model, { ...cut, reported: cut.reported ?? reported });
    return { ...limits, contextWindow: cut.contextWindow };
  }

  learn(model: ModelId, contextWindow: number): void {
    this.#cut.set(model, { contextWindow, reported: this.#reported.get(model) });
  }

  clear(): void {
    this.#reported.clear();
    this.#cut.clear();
  }
}
