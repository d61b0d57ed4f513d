/** How far the compaction of a conversation is, and whether somebody waits for it. */

import type { CompactionEvent } from "../../core/summary/compactionEvent.ts";

/** Hears of it: 0–100, null when none runs any more. */
export type TellProgress = (percent: number | null, isAwaited: boolean) => void;

/** The progress of one conversation, of which one compaction runs at most. */
export class CompactionProgress {
  readonly #tell: TellProgress;
  #percent: number | null = null;
  #isAwaited = false;

  constructor(tell: TellProgress) {
    this.#tell = tell;
  }

  /** Whether a request, or the user's own order, waits for what runs. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Hears what happens in the compaction. */
  readonly onEvent = (event: CompactionEvent): void => {
    if (event.kind === "summarizationStarted") this.#set(0);
    if (event.kind === "summarizationProgress") this.#set(Math.floor(event.share * 100));
  };

  /** Nothing runs any more. */
  ended(): void {
    if (this.#percent !== null) this.#set(null);
  }

  /** Does what somebody waits for; until it has ended, what runs counts as awaited. */
  async awaited<T>(work: () => Promise<T>): Promise<T> {
    this.#await(true);
    try {
      return await work();
    } finally {
      this.#await(false);
    }
  }

  #await(isAwaited: boolean): void {
    this.#isAwaited = isAwaited;
    if (this.#percent !== null) this.#set(this.#percent);
  }

  #set(percent: number | null): void {
    this.#percent = percent;
    this.#tell(percent, this.#isAwaited);
  }
}
