import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { LogReplica, ReplicaFailure } from "../../../src/core/replica/logReplica.ts";

/**
 * Fate of one put on its way. `dropped`: it never gets there. `answerLost`: it has its effect, its answer does not come
 * back. `doubled`: it gets there twice. `half`: it is cut in the middle.
 */
export type PutFault = "dropped" | "answerLost" | "doubled" | "half";

/** A place whose faults are the test's. */
export interface FaultyPlace {
  /** Of the next put. */
  readonly fault: (fault: PutFault) => void;
  /** Holds the next put before its effect. */
  readonly hold: () => HeldPut;
  /** Listings are those of now until the returned function is called. */
  readonly lag: () => () => void;
}

export interface ReplicaPlace {
  /** A machine's own access. */
  readonly open: () => LogReplica;
  /** False for a place that overwrites. */
  readonly refusesSecond: boolean;
}

export interface TestedPlace extends ReplicaPlace {
  readonly faults: FaultyPlace;
  readonly remove: () => void | Promise<void>;
}

/** A fault of a place that lasts until it is ended. */
export interface LastingFault<Place> {
  readonly title: string;
  /** Told for a put while it lasts. */
  readonly reason: ReplicaFailure;
  /** Returns what ends it. */
  readonly begin: (place: Place) => () => void;
}

export interface HeldPut {
  /** Resolves once the put is held. */
  readonly isHeld: Promise<void>;
  readonly release: () => void;
}

/** A put that waits, by what its place calls. */
export class Gate implements HeldPut {
  readonly isHeld: Promise<void>;
  readonly #released: Promise<void>;
  #hold: () => void = () => undefined;
  #release: () => void = () => undefined;

  constructor() {
    this.isHeld = new Promise((resolve) => (this.#hold = resolve));
    this.#released = new Promise((resolve) => (this.#release = resolve));
  }

  /** Resolves once it is released. */
  pass(): Promise<void> {
    this.#hold();
    return this.#released;
  }

  readonly release = (): void => {
    this.#release();
  };
}

export const NEVER_CANCELLED: CancelSignal = new AbortController().signal;
