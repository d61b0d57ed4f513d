/** Messages that the user took out of the view, as opposed to those that another way on has taken the place of. */

import { messageId, type MessageId } from "../../ids.ts";
import type { FullHistory } from "../fullHistory.ts";

/**
 * The hidden messages from `start` on that what is shown goes on from, that it went on without, or that stand at its end with
 * nothing beside them. While one `isAnswering`, other answers are none of them: they will be its versions.
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

/** Whether anything that was hidden stands behind the last message that is shown. */
export function endsTakenOut(history: FullHistory): boolean {
  return hiddenBehind(history).length > 0;
}

/** Whether the last message that is shown has an answer, which was hidden. */
export function isAnswerTakenOut(history: FullHistory): boolean {
  const [next] = hiddenBehind(history);
  const ways = next === undefined ? [] : history.branches.beside(next);
  return ways.some((id) => history.entry(id).role === "assistant" && !isGivenUp(history, id));
}

function lastShown(history: FullHistory): MessageId | undefined {
  return history.entries.findLast((entry) => history.isVisible(entry))?.id;
}

/** What the way on that was seen last holds behind the last message that is shown, or all of it where none is. */
function hiddenBehind(history: FullHistory): readonly MessageId[] {
  const last = lastShown(history);
  if (last !== undefined) return lastWayFrom(history, last).slice(1);
  const first = history.length === 0 ? undefined : lastSeen(history, history.branches.beside(messageId(0)));
  return first === undefined ? [] : lastWayFrom(history, first);
}

/** `id` and what follows it, by the ways on that were seen last: those that the user has left were hidden before. */
function lastWayFrom(history: FullHistory, id: MessageId): readonly MessageId[] {
  return history.branches.wayFrom(id, (ways) => lastSeen(history, ways));
}

function lastSeen(history: FullHistory, ways: readonly MessageId[]): MessageId | undefined {
  return history.lastSeen(ways.filter((id) => !isGivenUp(history, id)));
}

/** What was asked beside message `id`, or by it, and how that went on. */
function questionBeside(history: FullHistory, id: MessageId | undefined): readonly MessageId[] {
  const beside = id === undefined ? [] : history.branches.beside(id);
  const question = lastSeen(
    history,
    beside.filter((other) => history.entry(other).role === "user"),
  );
  return question === undefined ? [] : lastWayFrom(history, question);
}

/** An answer whose calls were cut, which is hidden and nothing followed: the user wanted none of it. */
function isGivenUp(history: FullHistory, id: MessageId): boolean {
  const { batch, state } = history.entry(id);
  if (batch !== id || state !== "interrupted" || history.isVisible({ id, batch })) return false;
  return history.branches.newestFrom(id).every((behind) => history.entry(behind).batch === batch);
}

/**
 * What stands beside message `id` and is of another kind, as an answer that was hidden before the next question: no other
 * version of a message leads there.
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
