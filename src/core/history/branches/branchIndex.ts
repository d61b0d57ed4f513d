/**
 * Which messages are different ways on from the same place. A message follows the last one that was visible when it came:
 * so what is said after messages were hidden (edited and resent, answered anew) stands beside them, and the order of the
 * records is all that has to be kept.
 */

import { messageId, type MessageId } from "../../ids.ts";

/** No message stands before it. */
const ROOT = -1;
const NONE = -1;

/** The tree of one history; costs a few bytes a message. */
export class BranchIndex {
  readonly #parents: number[] = [];
  /** The first message after each, by its place; `NONE` where there is none. */
  readonly #firsts: number[] = [];
  /** Further ones behind the first. Few places have any. */
  readonly #others = new Map<number, number[]>();
  #firstOfAll = NONE;

  /** The same tree, to be continued in another way. */
  copy(): BranchIndex {
    const copy = new BranchIndex();
    for (const parent of this.#parents) copy.append(parent);
    return copy;
  }

  /** Takes in the next message, which follows message `parent`, or with a negative one nothing. */
  append(parent: number): void {
    const id = this.#parents.length;
    this.#parents.push(parent);
    this.#firsts.push(NONE);
    const first = parent < 0 ? this.#firstOfAll : this.#firsts[parent];
    if (first === undefined || first === NONE) {
      if (parent < 0) this.#firstOfAll = id;
      else this.#firsts[parent] = id;
      return;
    }
    const others = this.#others.get(parent);
    if (others === undefined) this.#others.set(parent, [id]);
    else others.push(id);
  }

  /** The messages that follow the same one as `id` does, itself included, oldest first. */
  beside(id: MessageId): readonly MessageId[] {
    return this.#after(this.#parents[id] ?? ROOT);
  }

  /** The message that `id` follows; `undefined` for one that begins the conversation. */
  before(id: MessageId): MessageId | undefined {
    const parent = this.#parents[id] ?? ROOT;
    return parent < 0 ? undefined : messageId(parent);
  }

  /** `id` and what follows it, always by the newest way on, oldest first. */
  newestFrom(id: MessageId): readonly MessageId[] {
    return this.wayFrom(id, (ways) => ways.at(-1));
  }

  /** `id` and what follows it, by the ways on that `choose` takes, oldest first. */
  wayFrom(id: MessageId, choose: (ways: readonly MessageId[]) => MessageId | undefined): readonly MessageId[] {
    const path = [id];
    for (;;) {
      const next = choose(this.#after(path.at(-1) ?? id));
      if (next === undefined) return path;
      path.push(next);
    }
  }

  #after(parent: number): readonly MessageId[] {
    const first = parent < 0 ? this.#firstOfAll : (this.#firsts[parent] ?? NONE);
    if (first === NONE) return [];
    return [first, ...(this.#others.get(Math.max(parent, ROOT)) ?? [])].map((id) => messageId(id));
  }
}
