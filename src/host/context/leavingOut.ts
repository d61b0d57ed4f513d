/** Leaving an attachment out of what is sent, on the user's word, and sending it again. The history keeps it either way. */

import { leftOutRecord, withoutLeftOut } from "../../core/history/leftOut.ts";
import type { ForgeError } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { busyNote } from "../words/busyNote.ts";
import { explain } from "../words/explain.ts";
import type { Session } from "../session/session.ts";

/** One attachment, and whether it is to be left out. */
export interface AttachmentChange {
  readonly messageId: number;
  /** Its place among the parts of the message. */
  readonly part: number;
  readonly leftOut: boolean;
}

/** Leaves an attachment out of every request from now on, or puts it back. While something runs nothing changes, and the user is told. */
export async function setLeftOut(
  session: Session,
  change: AttachmentChange,
  showBanner: (banner: Banner) => void,
): Promise<void> {
  const isDone = await session.alone("applying", async () => {
    const changed = await changeLeftOut(session, change);
    if (!changed.ok) showBanner(explain(changed.error, session.connection.provider.label));
  });
  if (isDone) return;
  const text = localize("Attachments can be left out when this answer has ended.");
  showBanner(busyNote(session.activity, text));
}

async function changeLeftOut(
  { opened: { manager, store }, transcript, tools, summaries }: Session,
  { messageId, part, leftOut }: AttachmentChange,
): Promise<Result<void, ForgeError>> {
  const entry = manager.history.entries[messageId];
  if (entry === undefined) return ok(undefined);
  const before = entry.leftOut ?? [];
  if (before.includes(part) === leftOut) return ok(undefined);
  const after = leftOut ? [...before, part] : before.filter((index) => index !== part);
  const read = await store.readMessages([entry.id]);
  if (!read.ok) return read;
  const [stored] = read.value;
  if (stored === undefined) return ok(undefined);
  const sentTokens = await tools.countsOf(withoutLeftOut(stored.message, after));
  const record = leftOutRecord(stored, { leftOut: after, sentTokens, atMs: Date.now() });
  if (!record.ok) return err(record.error);
  const committed = await store.commit([{ kind: "record", record: record.value }]);
  if (!committed.ok) return committed;
  manager.apply(record.value);
  summaries.automatic.sourcesChanged();
  const redrawn = await transcript.redraw(entry.id);
  if (!redrawn.ok) return redrawn;
  const isOther = await transcript.redrawSummariesOf(entry.id);
  if (!isOther.ok) return isOther;
  if (isOther.value) await summaries.automatic.rebuild();
  return ok(undefined);
}
