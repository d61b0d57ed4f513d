/** Names the messages that have to be summarized when a request does not fit. Spec §4, step 4. */

import { messageId, type MessageId } from "../ids.ts";
import { MESSAGES_A_SLICE, Slice, type Steps } from "../steps.ts";
import type { Blocks } from "./blocks.ts";
import type { CutRequest } from "./cutRequest.ts";
import { gapsBetween } from "./spareCosts.ts";

/**
 * Oldest first: of the messages in no summary, all but the newest that fit into `room`. With `room` below 0 the summaries
 * themselves are too many, and the messages of the oldest two are named too: one summary a level up can stand for both.
 */
export function* messagesThatDoNotFit(request: CutRequest, blocks: Blocks, room: number): Steps<readonly MessageId[]> {
  const loose = yield* looseMessages(request, blocks, room);
  if (room >= 0) return loose;
  const summarized = blocks.roots.slice(0, 2).flatMap(({ summary }) => spareIds(blocks, summary.covers));
  return [...summarized, ...loose].sort((one, other) => one - other);
}

/** Whole atoms, newest first while they fit; from the first that does not fit, it and all older ones. */
function* looseMessages({ history, entries }: CutRequest, blocks: Blocks, room: number): Steps<readonly MessageId[]> {
  const slice = new Slice(MESSAGES_A_SLICE);
  const covers = blocks.roots.map(({ summary }) => summary.covers);
  const left: (readonly MessageId[])[] = [];
  let free = room;
  for (const gap of gapsBetween({ start: 0, end: entries }, covers).toReversed()) {
    for (let end = gap.end; end > gap.start;) {
      const atom = { start: Math.max(history.atomOf(messageId(end - 1)).start, gap.start), end };
      const cost = blocks.spare.between(atom);
      free = cost <= free ? free - cost : -1;
      if (free < 0) left.push(spareIds(blocks, atom));
      end = atom.start;
      if (slice.isOver(1)) yield;
    }
  }
  return left.reverse().flat();
}

function spareIds({ spare }: Blocks, range: { readonly start: number; readonly end: number }): readonly MessageId[] {
  const ids: MessageId[] = [];
  for (let id = range.start; id < range.end; id++) if (spare.isSpare(id)) ids.push(messageId(id));
  return ids;
}
