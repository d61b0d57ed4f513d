/** Messages that the user hid, as opposed to those replaced by another branch. */

import { messageId, type MessageId } from "../../ids.ts";
import type { FullHistory } from "../fullHistory.ts";

/**
 * Hidden messages that belong to the shown branch: its hidden members, hidden siblings that no version of a message leads
 * to, and what follows its end. While an answer is being received (`isAnswering`), hidden answers at the end are
 * excluded: they become its versions. Valid for one state of `history`, whose shown branch it walks once, from the end.
 */
export class HiddenTurns {
  readonly #history: FullHistory;
  readonly #revision: number;
  readonly #found = new Set<MessageId>();
  /** The next message of the shown branch to look at. */
  #next: MessageId | undefined;

  constructor(history: FullHistory, isAnswering = false) {
    this.#history = history;
    this.#revision = history.revision;
    this.#next = lastShown(history);
    const later = hiddenAfterLastVisible(history);
    if (isAnswering) this.#add(siblingQuestionPath(history, later[0]));
    else for (const id of later) this.#add([id, ...skippedSiblingPath(history, id)]);
  }

  get isCurrent(): boolean {
    return this.#revision === this.#history.revision;
  }

  /** Those from `start` on, and some before it. */
  from(start: number): ReadonlySet<MessageId> {
    const history = this.#history;
    for (let id = this.#next; id !== undefined && id >= start; this.#next = id = history.branches.parentOf(id)) {
      if (!history.isVisible(history.entry(id))) this.#found.add(id);
      this.#add(skippedSiblingPath(history, id));
    }
    return this.#found;
  }

  #add(ids: readonly MessageId[]): void {
    for (const id of ids) this.#found.add(id);
  }
}

/** Whether hidden messages follow the last visible one. */
export function endsWithHiddenTurns(history: FullHistory): boolean {
  return hiddenAfterLastVisible(history).length > 0;
}

/** Whether the last visible message has an answer that is hidden. */
export function isLastAnswerHidden(history: FullHistory): boolean {
  const [next] = hiddenAfterLastVisible(history);
  const ways = next === undefined ? [] : history.branches.siblings(next);
  return ways.some((id) => history.entry(id).role === "assistant" && !isDiscardedAnswer(history, id));
}

function lastShown(history: FullHistory): MessageId | undefined {
  return history.entries.findLast((entry) => history.isVisible(entry))?.id;
}

/** The branch seen last, after the last visible message; the whole branch if none is visible. */
function hiddenAfterLastVisible(history: FullHistory): readonly MessageId[] {
  const last = lastShown(history);
  if (last !== undefined) return lastSeenPathFrom(history, last).slice(1);
  const first = history.length === 0 ? undefined : lastSeen(history, history.branches.siblings(messageId(0)));
  return first === undefined ? [] : lastSeenPathFrom(history, first);
}

/** `id` and its descendants along the branches seen last: those switched away from were hidden earlier. */
function lastSeenPathFrom(history: FullHistory, id: MessageId): readonly MessageId[] {
  return history.branches.pathFrom(id, (ways) => lastSeen(history, ways));
}

function lastSeen(history: FullHistory, ways: readonly MessageId[]): MessageId | undefined {
  return history.lastVisibleOf(ways.filter((id) => !isDiscardedAnswer(history, id)));
}

/** The question seen last among the siblings of `id`, itself included, and what follows it. */
function siblingQuestionPath(history: FullHistory, id: MessageId | undefined): readonly MessageId[] {
  const beside = id === undefined ? [] : history.branches.siblings(id);
  const question = lastSeen(
    history,
    beside.filter((other) => history.entry(other).role === "user"),
  );
  return question === undefined ? [] : lastSeenPathFrom(history, question);
}

/** A hidden answer that was interrupted while calling tools and that nothing follows: the user discarded it. */
function isDiscardedAnswer(history: FullHistory, id: MessageId): boolean {
  const { batch, state } = history.entry(id);
  if (batch !== id || state !== "interrupted" || history.isVisible({ id, batch })) return false;
  return history.branches.newestPathFrom(id).every((later) => history.entry(later).batch === batch);
}

/**
 * The branch seen last among the siblings of `id` with another role, such as an answer hidden before the next question:
 * no version of a message leads there.
 */
function skippedSiblingPath(history: FullHistory, id: MessageId): readonly MessageId[] {
  const { role } = history.entry(id);
  const beside = history.branches.siblings(id);
  const other = lastSeen(
    history,
    beside.filter((each) => history.entry(each).role !== role),
  );
  return other === undefined ? [] : lastSeenPathFrom(history, other);
}
