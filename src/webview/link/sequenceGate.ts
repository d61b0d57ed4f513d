import type { ToView } from "../../protocol/toView.ts";

/**
 * Checks the sequence of the host's messages. A snapshot always passes and resets the sequence; any other message must
 * follow the last one. The first mismatch is a `gap`, later ones are `drop` until a snapshot passes.
 */
export class SequenceGate {
  /** Expected number; null while only a snapshot can help. */
  #next: number | null = null;
  #isSnapshotRequested = true; // the view requests the first one with `ready`

  check(message: Pick<ToView, "seq" | "kind">): "pass" | "gap" | "drop" {
    if (message.kind === "snapshot" || message.seq === this.#next) {
      this.#next = message.seq + 1;
      this.#isSnapshotRequested = false;
      return "pass";
    }
    this.#next = null;
    if (this.#isSnapshotRequested) return "drop";
    this.#isSnapshotRequested = true;
    return "gap";
  }
}
