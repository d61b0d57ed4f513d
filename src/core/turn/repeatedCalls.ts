/** Notices a model that goes round in circles: the same call, with the same result, again and again. */

import { parseJson } from "../json.ts";
import { canonicalJson } from "../documents/canonicalJson.ts";
import type { ToolResultPart } from "../message.ts";
import type { ToolEffect } from "../tools/tool.ts";

/** A call that has ended. */
export interface EndedCall {
  readonly name: string;
  readonly inputJson: string;
  /** Absent for a tool that there is none of. */
  readonly effect?: ToolEffect;
  readonly result: Pick<ToolResultPart, "outcome" | "text">;
}

/** From so many times on the model is told; when it does it once more, the turn stops. */
export const TOLD_AT_REPEATS = 3;

/** Put behind the result that is the same for the third time. */
export const REPEATED_TEXT =
  "\n\n[This same call has given this same result 3 times in this turn. Try something else, or say what is missing.]";

/** The calls of one turn. */
export class RepeatedCalls {
  readonly #seen = new Map<string, { readonly outcome: string; readonly text: string; times: number }>();
  #isStuck = false;

  /** The model was told, and has made the same call with the same result once more. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /**
   * Takes note of a call, and answers how many times it has come to the same. A call that may have changed something
   * gives all others a new start: a test that fails after every edit is no circle.
   */
  note({ name, inputJson, effect, result: { outcome, text } }: EndedCall): number {
    const key = `${name} ${canonicalInput(inputJson)}`;
    const before = this.#seen.get(key);
    const isSame = before?.outcome === outcome && before.text === text;
    if (outcome === "ok" && effect !== "reads") this.#seen.clear();
    const times = isSame ? before.times + 1 : 1;
    this.#seen.set(key, { outcome, text, times });
    this.#isStuck ||= times > TOLD_AT_REPEATS;
    return times;
  }
}

function canonicalInput(json: string): string {
  const input = parseJson(json);
  return input.ok ? canonicalJson(input.value) : json;
}
