/** A provider with scripted misbehavior and timing. */

import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import type { ManualClock } from "../clocks.ts";

/** A step of a raw stream: an event, a delay, an endless hang, or an exception. After the last one the stream ends. */
export type Move =
  StreamEvent | { readonly kind: "wait"; readonly ms: number } | { readonly kind: "hang" } | { readonly kind: "throw" };

/** Plays one of `plays` per request, and repeats the last one. */
export class RawProvider implements Provider {
  readonly name = "raw";
  readonly label = "Raw";
  readonly signals: CancelSignal[] = [];
  readonly #clock: ManualClock;
  readonly #plays: readonly (readonly Move[])[];

  constructor(clock: ManualClock, plays: readonly (readonly Move[])[]) {
    this.#clock = clock;
    this.#plays = plays;
  }

  async *stream(_prepared: unknown, _options: unknown, cancel: CancelSignal): AsyncGenerator<StreamEvent> {
    const play = this.#plays[Math.min(this.signals.length, this.#plays.length - 1)] ?? [];
    this.signals.push(cancel);
    for (const move of play) {
      if (move.kind === "wait") await new Promise<void>((resolve) => this.#clock.after(move.ms, resolve));
      else if (move.kind === "hang") await new Promise(() => undefined);
      else if (move.kind === "throw") throw new TypeError("terminated with sk-a1Bcd2efGh3ijKlmn4opQrs");
      else yield move;
    }
  }

  listModels(): never {
    throw new Error("not asked for here");
  }
}
