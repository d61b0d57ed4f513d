/** The ids of the calls of one answer. Services give several the same one, or none. */

import { toolCallId, type ToolCallId } from "../ids.ts";

/** Gives each call one of its own: the one that the service gave it, where no other has it. */
export class CallIds {
  readonly #used = new Set<string>();

  /** The id of the next call; `given` is empty where it came with none. */
  next(given: string): ToolCallId {
    const base = given === "" ? `call_${String(this.#used.size)}` : given;
    let id = base;
    for (let copy = 2; this.#used.has(id); copy++) id = `${base}_${String(copy)}`;
    this.#used.add(id);
    return toolCallId(id);
  }
}
