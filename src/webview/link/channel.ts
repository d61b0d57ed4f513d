/**
 * The only way to and from the host. Holds the editor's webview handle, which nothing else sees.
 * Invariants: messages are handed on in order and without a gap; at a gap the host is asked for a snapshot and what
 * comes before it is dropped; what arrives within one frame is handed on together, so that the view draws once.
 */
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToView } from "../../protocol/toView.ts";
import { SequenceGate } from "./sequenceGate.ts";

/** The editor's handle of this webview. `state` survives the webview's destruction, not the window's. */
export interface HostHandle {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** Runs `draw` before the next frame is shown, or soon where no frames are shown. */
export type Schedule = (draw: () => void) => void;

/** Sends to the host and hands on what it says. */
export class Channel {
  readonly #host: HostHandle;
  readonly #schedule: Schedule;
  readonly #receive: (messages: readonly ToView[]) => void;
  readonly #askAnew: () => void;
  readonly #gate = new SequenceGate();
  #waiting: ToView[] = [];

  /** `askAnew` asks the host for a snapshot: something that it said was lost. */
  constructor(
    host: HostHandle,
    schedule: Schedule,
    { receive, askAnew }: { receive: (messages: readonly ToView[]) => void; askAnew: () => void },
  ) {
    this.#host = host;
    this.#schedule = schedule;
    this.#receive = receive;
    this.#askAnew = askAnew;
  }

  post(message: ToHost): void {
    this.#host.postMessage(message);
  }

  /** Takes whatever was posted to this window; what is no message of the host is ignored. */
  accept(data: unknown): void {
    if (!isToView(data)) return;
    switch (this.#gate.check(data)) {
      case "pass":
        this.#enqueue(data);
        return;
      case "gap":
        this.#askAnew();
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

/** The host is trusted; this only keeps out what the editor or a tool may post to the same window. */
function isToView(data: unknown): data is ToView {
  return typeof data === "object" && data !== null && "kind" in data && "seq" in data && typeof data.seq === "number";
}
