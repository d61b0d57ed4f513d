/** Passages recalled for questions, as the transcript shows them: the texts are read where they were said. */

import { mayBeSent } from "../../core/context/recalled/recalledSegment.ts";
import { passageText } from "../../core/context/recalled/recalledText.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { MessageId } from "../../core/ids.ts";
import type { HistoryEntry, RecalledPassage } from "../../core/message.ts";
import type { MessageReader } from "../../core/store/conversationStore.ts";
import { ok, type Result } from "../../core/result.ts";
import type { RecalledView } from "../../protocol/toView.ts";

/** By question, in the order of the passages' places; without what was hidden, excluded or erased since. */
export async function recalledViews(
  entries: readonly HistoryEntry[],
  { history, store }: { readonly history: FullHistory; readonly store: MessageReader },
): Promise<Result<ReadonlyMap<MessageId, readonly RecalledView[]>, StorageFailed>> {
  const passagesOf = new Map(entries.map((entry) => [entry.id, passagesIn(entry, history)]));
  const ids = [...new Set([...passagesOf.values()].flat().map(({ id }) => id))];
  if (ids.length === 0) return ok(new Map());
  const read = await store.readMessages(ids);
  if (!read.ok) return read;
  const messages = new Map(read.value.map(({ entry, message }) => [entry.id, message]));
  const viewOf = (passage: RecalledPassage): readonly RecalledView[] => {
    const message = messages.get(passage.id);
    const text = message && passageText(passage, message);
    return text === undefined ? [] : [{ messageId: passage.id, text }];
  };
  return ok(new Map([...passagesOf].map(([id, passages]) => [id, passages.flatMap(viewOf)])));
}

function passagesIn({ recalled = [] }: HistoryEntry, history: FullHistory): readonly RecalledPassage[] {
  return recalled
    .filter((passage) => mayBeSent(passage, history))
    .toSorted((one, other) => one.id - other.id || one.part - other.part || one.start - other.start);
}
