/** Detects a model that goes in circles: the same call, with the same result, again and again. */

import { parseShallowJson } from "../json.ts";
import { canonicalJson } from "../documents/canonicalJson.ts";
import type { ToolResultPart } from "../message.ts";
import type { ToolEffect } from "../tools/tool.ts";

export interface EndedCall {
  readonly name: string;
  readonly inputJson: string;
  /** Absent for an unknown tool. */
  readonly effect?: ToolEffect;
  readonly result: Pick<ToolResultPart, "outcome" | "text">;
}

/** Identical results after which the model is told; one more stops the turn. */
export const WARN_AT_REPEATS = 3;

/** Appended to the third identical result. */
export const REPEATED_TEXT =
  "\n\n[This same call has given this same result 3 times in this turn. Try something else, or say what is missing.]";

export class RepeatedCalls {
  readonly #seen = new Map<string, { readonly outcome: string; readonly text: string; times: number }>();
  #isStuck = false;

  /** The model was told, and has repeated the call once more. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /**
   * Records a call and returns how often in a row it gave this result. A call that may have changed something resets
   * all others, as a test that fails after every edit is no circle.
   */
  note({ name, inputJson, effect, result: { outcome, text } }: EndedCall): number {
    const key = `${name} ${canonicalInput(inputJson)}`;
    const before = this.#seen.get(key);
    const isSame = before?.outcome === outcome && before.text === text;
    if (outcome === "ok" && effect !== "reads") this.#seen.clear();
    const times = isSame ? before.times + 1 : 1;
    this.#seen.set(key, { outcome, text, times });
    this.#isStuck ||= times > WARN_AT_REPEATS;
    return times;
  }
}

function canonicalInput(json: string): string {
  const input = parseShallowJson(json);
  return input.ok ? canonicalJson(input.value) : json;
}
