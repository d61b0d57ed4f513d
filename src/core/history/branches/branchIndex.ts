/**
 * Tree of branches. The parent of a message is the last one that was visible when it was added: so what is added after
 * messages were hidden (edit and resend, answer again) becomes their sibling, and the order of the records is all that
 * has to be stored.
 */

import { messageId, type MessageId } from "../../ids.ts";

/** Parent of a message that begins the conversation. */
const ROOT = -1;
const NONE = -1;

/** Takes a few bytes per message. */
export class BranchIndex {
  readonly #parents: number[] = [];
  /** First child of each message, by id; `NONE` if it has none. */
  readonly #firstChildren: number[] = [];
  /** Children after the first, by parent. Few messages have any. */
  readonly #furtherChildren = new Map<number, number[]>();
  #firstRoot = NONE;

  copy(): BranchIndex {
    const copy = new BranchIndex();
    for (const parent of this.#parents) copy.append(parent);
    return copy;
  }

  /** Adds the next message as a child of `parent`; if that is negative, the message begins the conversation. */
  append(parent: number): void {
    const id = this.#parents.length;
    this.#parents.push(parent);
    this.#firstChildren.push(NONE);
    const first = parent < 0 ? this.#firstRoot : this.#firstChildren[parent];
    if (first === undefined || first === NONE) {
      if (parent < 0) this.#firstRoot = id;
      else this.#firstChildren[parent] = id;
      return;
    }
    const furtherChildren = this.#furtherChildren.get(parent);
    if (furtherChildren === undefined) this.#furtherChildren.set(parent, [id]);
    else furtherChildren.push(id);
  }

  /** Siblings of `id`, itself included, oldest first. */
  siblings(id: MessageId): readonly MessageId[] {
    return this.#after(this.#parents[id] ?? ROOT);
  }

  /** Parent of `id`; `undefined` if it begins the conversation. */
  parentOf(id: MessageId): MessageId | undefined {
    const parent = this.#parents[id] ?? ROOT;
    return parent < 0 ? undefined : messageId(parent);
  }

  /** `id` and its descendants along the newest branch, oldest first. */
  newestPathFrom(id: MessageId): readonly MessageId[] {
    return this.pathFrom(id, (ways) => ways.at(-1));
  }

  /** `id` and its descendants along the branches that `choose` picks, oldest first. */
  pathFrom(id: MessageId, choose: (ways: readonly MessageId[]) => MessageId | undefined): readonly MessageId[] {
    const path = [id];
    for (;;) {
      const next = choose(this.#after(path.at(-1) ?? id));
      if (next === undefined) return path;
      path.push(next);
    }
  }

  #after(parent: number): readonly MessageId[] {
    const first = parent < 0 ? this.#firstRoot : (this.#firstChildren[parent] ?? NONE);
    if (first === NONE) return [];
    return [first, ...(this.#furtherChildren.get(Math.max(parent, ROOT)) ?? [])].map((id) => messageId(id));
  }
}
