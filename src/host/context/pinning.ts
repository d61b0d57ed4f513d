/** Pinning a message, on the user's word: from then on it is always sent as it is. */

import { messageId } from "../../core/ids.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { busyNote } from "../words/busyNote.ts";
import { explain } from "../words/explain.ts";
import type { Session } from "../session/session.ts";

/** Pins message `id` or takes its pin away. While something runs nothing changes, and the user is told. */
export async function setPinned(
  session: Session,
  { id, pinned }: { readonly id: number; readonly pinned: boolean },
  showBanner: (banner: Banner) => void,
): Promise<void> {
  const { manager, store } = session.opened;
  const isDone = await session.alone("summarizing", async () => {
    const atMs = Date.now();
    const record = pinned ? manager.pin(messageId(id), atMs) : manager.unpin(messageId(id), atMs);
    const committed = record.ok ? await store.commit([{ kind: "record", record: record.value }]) : record;
    if (record.ok && committed.ok) manager.apply(record.value);
    else if (!committed.ok) showBanner(explain(committed.error, session.connection.provider.label));
  });
  if (!isDone) {
    const text = localize("Pins can be changed when this answer has ended.");
    showBanner(busyNote(session.activity, text));
  }
}
