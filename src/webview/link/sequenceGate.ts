import type { ToView } from "../../protocol/toView.ts";

/**
 * Tells whether a message of the host comes in its turn. A snapshot always does and sets the count anew; any other
 * message must be one more than the last. At the first that is not, the answer is `gap` once, then `drop` until a
 * snapshot comes.
 */
export class SequenceGate {
  /** The number that must come next; null while only a snapshot can help. */
  #next: number | null = null;
  #asked = true; // the view asks with `ready` as soon as it is there

  check(message: Pick<ToView, "seq" | "kind">): "pass" | "gap" | "drop" {
    if (message.kind === "snapshot" || message.seq === this.#next) {
      this.#next = message.seq + 1;
      this.#asked = false;
      return "pass";
    }
    this.#next = null;
    if (this.#asked) return "drop";
    this.#asked = true;
    return "gap";
  }
}
