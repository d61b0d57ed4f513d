/** Messages that the user hid, as opposed to those replaced by another branch. */

import { messageId, type MessageId } from "../../ids.ts";
import type { FullHistory } from "../fullHistory.ts";

/**
 * Hidden messages that belong to the shown branch: its hidden members from `start` on, hidden siblings that no version
 * of a message leads to, and what follows its end. While an answer is being received (`isAnswering`), hidden answers at
 * the end are excluded: they become its versions.
 */
export function takenOut(history: FullHistory, start: number, isAnswering = false): ReadonlySet<MessageId> {
  const found = new Set<MessageId>();
  const behind = hiddenBehind(history);
  if (isAnswering) {
    for (const id of questionBeside(history, behind[0])) found.add(id);
  } else {
    for (const id of behind) for (const each of [id, ...passedBy(history, id)]) found.add(each);
  }
  let id = lastShown(history);
  for (; id !== undefined && id >= start; id = history.branches.before(id)) {
    if (!history.isVisible(history.entry(id))) found.add(id);
    for (const passed of passedBy(history, id)) found.add(passed);
  }
  return found;
}

/** Whether hidden messages follow the last visible one. */
export function endsTakenOut(history: FullHistory): boolean {
  return hiddenBehind(history).length > 0;
}

/** Whether the last visible message has an answer that is hidden. */
export function isAnswerTakenOut(history: FullHistory): boolean {
  const [next] = hiddenBehind(history);
  const ways = next === undefined ? [] : history.branches.beside(next);
  return ways.some((id) => history.entry(id).role === "assistant" && !isGivenUp(history, id));
}

function lastShown(history: FullHistory): MessageId | undefined {
  return history.entries.findLast((entry) => history.isVisible(entry))?.id;
}

/** The branch seen last, after the last visible message; the whole branch if none is visible. */
function hiddenBehind(history: FullHistory): readonly MessageId[] {
  const last = lastShown(history);
  if (last !== undefined) return lastWayFrom(history, last).slice(1);
  const first = history.length === 0 ? undefined : lastSeen(history, history.branches.beside(messageId(0)));
  return first === undefined ? [] : lastWayFrom(history, first);
}

/** `id` and its descendants along the branches seen last: those switched away from were hidden earlier. */
function lastWayFrom(history: FullHistory, id: MessageId): readonly MessageId[] {
  return history.branches.wayFrom(id, (ways) => lastSeen(history, ways));
}

function lastSeen(history: FullHistory, ways: readonly MessageId[]): MessageId | undefined {
  return history.lastSeen(ways.filter((id) => !isGivenUp(history, id)));
}

/** The question seen last among the siblings of `id`, itself included, and what follows it. */
function questionBeside(history: FullHistory, id: MessageId | undefined): readonly MessageId[] {
  const beside = id === undefined ? [] : history.branches.beside(id);
  const question = lastSeen(
    history,
    beside.filter((other) => history.entry(other).role === "user"),
  );
  return question === undefined ? [] : lastWayFrom(history, question);
}

/** A hidden answer that was interrupted while calling tools and that nothing follows: the user discarded it. */
function isGivenUp(history: FullHistory, id: MessageId): boolean {
  const { batch, state } = history.entry(id);
  if (batch !== id || state !== "interrupted" || history.isVisible({ id, batch })) return false;
  return history.branches.newestFrom(id).every((behind) => history.entry(behind).batch === batch);
}

/**
 * The branch seen last among the siblings of `id` with another role, such as an answer hidden before the next question:
 * no version of a message leads there.
 */
function passedBy(history: FullHistory, id: MessageId): readonly MessageId[] {
  const { role } = history.entry(id);
  const beside = history.branches.beside(id);
  const other = lastSeen(
    history,
    beside.filter((each) => history.entry(each).role !== role),
  );
  return other === undefined ? [] : lastWayFrom(history, other);
}
