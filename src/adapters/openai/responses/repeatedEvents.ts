/**
 * Drops events that a server sends a second time. A repeat has the sequence number and the content of an event before
 * it. The number alone proves nothing: some gateways give all deltas the same, or begin anew with each item.
 */

import { member, stringField } from "../../../core/json.ts";

export class RepeatedEvents {
  /** Content by sequence number; `undefined` once two different events had the same number. */
  #received: Map<number, string> | undefined = new Map();
  /** Apparent repeats since the last new number: no repeats if the numbers prove to be worthless. */
  #held: unknown[] = [];

  /** Returns the events to decode now, in order. */
  admit(event: unknown): readonly unknown[] {
    const number = member(event, "sequence_number");
    if (this.#received === undefined || typeof number !== "number") return [event];
    // LiteLLM gives it an old number. It carries the whole item, with all that is held.
    if (stringField(event, "type") === "response.output_item.done") {
      this.#held = [];
      return [event];
    }
    const content = contentOf(event);
    const earlier = this.#received.get(number);
    if (earlier === content) {
      this.#held.push(event);
      return [];
    }
    const held = this.#held;
    this.#held = [];
    if (earlier === undefined) {
      this.#received.set(number, content);
      return [event];
    }
    this.#received = undefined;
    return [...held, event];
  }
}

/** Without the padding, which is random. */
function contentOf(event: unknown): string {
  return JSON.stringify(event, (name, value: unknown) => (name === "obfuscation" ? undefined : value));
}
