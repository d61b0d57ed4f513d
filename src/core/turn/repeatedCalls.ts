/** Detects a model that goes in circles: the same call, or the same few in turn, with the same results again and again. */

import { parseShallowJson } from "../json.ts";
import { canonicalJson } from "../documents/canonicalJson.ts";
import { fingerprint } from "../history/summaries/sourceHash.ts";
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

/** Calls of the longest circle. */
const LONGEST_CIRCLE = 8;

export class RepeatedCalls {
  readonly #seen = new Map<string, { readonly outcome: string; readonly text: string; times: number }>();
  /** The last calls with their results, enough of them to see that the longest circle is one. */
  readonly #ended: string[] = [];
  #isStuck = false;

  /** The model was told, and has repeated the call once more. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /**
   * Records a call and returns how often in a row it gave this result. A call that may have changed something resets
   * all others, as a test that fails after every edit is no circle; the same edits and tests in turn are.
   */
  note({ name, inputJson, effect, result: { outcome, text } }: EndedCall): number {
    const key = `${name} ${canonicalInput(inputJson)}`;
    const before = this.#seen.get(key);
    const isSame = before?.outcome === outcome && before.text === text;
    if (outcome === "ok" && effect !== "reads") this.#seen.clear();
    const inRow = isSame ? before.times + 1 : 1;
    this.#seen.set(key, { outcome, text, times: inRow });
    const times = Math.max(inRow, this.#timesInCircle(fingerprint(JSON.stringify([key, outcome, text]))));
    this.#isStuck ||= times > WARN_AT_REPEATS;
    return times;
  }

  /** How often the calls of a circle that ends with `ended` came in turn; 1: there is none. */
  #timesInCircle(ended: string): number {
    const all = this.#ended;
    all.push(ended);
    if (all.length > LONGEST_CIRCLE * (WARN_AT_REPEATS + 1)) all.shift();
    let most = 1;
    for (let period = 2; period <= LONGEST_CIRCLE; period++) {
      let same = 0;
      while (same < all.length - period && all.at(-1 - same) === all.at(-1 - same - period)) same++;
      most = Math.max(most, Math.floor(same / period) + 1);
    }
    return most;
  }
}

function canonicalInput(json: string): string {
  const input = parseShallowJson(json);
  return input.ok ? canonicalJson(input.value) : json;
}
