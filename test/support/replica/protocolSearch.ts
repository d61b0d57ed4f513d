/** Search of the protocol's model: every state that its limits allow, equal ones once, level by level. */

import { createHash } from "node:crypto";
import {
  faultsWhenQuiet,
  keyOfState,
  lostIn,
  nextStates,
  startState,
  type ModelLimits,
  type ModelState,
} from "./protocolModel.ts";

export interface ProtocolSearch {
  readonly states: number;
  /** Each with the state from which it follows. */
  readonly faults: readonly string[];
  /** False: there are more than `mostStates`. */
  readonly isComplete: boolean;
}

/** Ends with the first state that has faults, or with so many states. */
export function searchProtocol(limits: ModelLimits, mostStates = Infinity): ProtocolSearch {
  const start = startState(limits);
  const seen = new SeenKeys();
  seen.add(keyOfState(start));
  let level: readonly ModelState[] = [start];
  while (level.length > 0) {
    const next: ModelState[] = [];
    for (const state of level) {
      const lost = lostIn(state).map((hash) => `lost: ${hash}`);
      const faults = state.machines.every(({ steps }) => steps === 0) ? faultsWhenQuiet(state) : [];
      if (lost.length + faults.length > 0) {
        const from = JSON.stringify(state);
        const found = [...lost, ...faults].map((fault) => `${fault}, from ${from}`);
        return { states: seen.size, faults: found, isComplete: false };
      }
      for (const after of nextStates(state)) if (seen.add(keyOfState(after))) next.push(after);
      if (seen.size > mostStates) return { states: seen.size, faults: [], isComplete: false };
    }
    level = next;
  }
  return { states: seen.size, faults: [], isComplete: true };
}

/**
 * 64 bits of each key's hash, in eight bytes, where a set of texts takes a hundred and more. Two of ten million keys are
 * taken for one with a probability of three in a million.
 */
class SeenKeys {
  #table = new BigUint64Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** False if it was there. */
  add(key: string): boolean {
    if (2 * this.#size >= this.#table.length) this.#grow();
    // No hash is 0, which marks what is free.
    const isNew = place(this.#table, createHash("sha1").update(key).digest().readBigUInt64LE() | 1n);
    if (isNew) this.#size++;
    return isNew;
  }

  #grow(): void {
    const table = new BigUint64Array(2 * this.#table.length);
    for (const hash of this.#table) if (hash !== 0n) place(table, hash);
    this.#table = table;
  }
}

/** False if it was there. */
function place(table: BigUint64Array, hash: bigint): boolean {
  const last = table.length - 1;
  for (let at = Number(hash >> 32n) & last; ; at = (at + 1) & last) {
    const there = table[at];
    if (there === hash) return false;
    if (there === 0n) {
      table[at] = hash;
      return true;
    }
  }
}
