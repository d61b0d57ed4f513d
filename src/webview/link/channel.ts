/**
 * The only connection to the host; owns the editor's webview handle.
 * Invariants: messages are delivered in order and without a gap; after a gap, messages are dropped until the requested
 * snapshot; messages received within one frame are delivered together, so that the view renders once.
 */
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToView } from "../../protocol/toView.ts";

/** The editor's handle of this webview. `state` survives the webview's destruction, not the window's. */
export interface HostHandle {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** Runs `draw` before the next frame, or soon if no frames are shown. */
export type RenderSchedule = (draw: () => void) => void;

export class Channel {
  readonly #host: HostHandle;
  readonly #schedule: RenderSchedule;
  readonly #receive: (messages: readonly ToView[]) => void;
  readonly #requestSnapshot: () => void;
  readonly #gate = new SequenceGate();
  #waiting: ToView[] = [];

  /** `requestSnapshot` requests a snapshot after a lost message. */
  constructor(
    host: HostHandle,
    schedule: RenderSchedule,
    { receive, requestSnapshot }: { receive: (messages: readonly ToView[]) => void; requestSnapshot: () => void },
  ) {
    this.#host = host;
    this.#schedule = schedule;
    this.#receive = receive;
    this.#requestSnapshot = requestSnapshot;
  }

  post(message: ToHost): void {
    this.#host.postMessage(message);
  }

  /** Takes anything posted to this window; ignores what is no message of the host. */
  accept(data: unknown): void {
    if (!isToView(data)) return;
    switch (this.#gate.check(data)) {
      case "pass":
        this.#enqueue(data);
        return;
      case "gap":
        this.#requestSnapshot();
        return;
      case "drop":
        return;
    }
  }

  #enqueue(message: ToView): void {
    this.#waiting.push(message);
    if (this.#waiting.length > 1) return;
    this.#schedule(() => {
      const messages = this.#waiting;
      this.#waiting = [];
      this.#receive(messages);
    });
  }
}

/** The host is trusted: this only filters what the editor or a tool may post to the same window. */
function isToView(data: unknown): data is ToView {
  return typeof data === "object" && data !== null && "kind" in data && "seq" in data && typeof data.seq === "number";
}

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
