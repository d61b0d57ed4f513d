/** Restores the scroll position in a page that the editor has recreated. */

import { messageId } from "../../core/ids.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { ok, type Result } from "../../core/result.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { revealRow } from "./revealRow.ts";
import type { Session } from "../session/session.ts";

/** For a page that has just received its snapshot; does nothing when the message is hidden. */
export async function restoreScroll(
  session: Session,
  emit: (body: ToViewBody) => void,
): Promise<Result<unknown, StorageFailed>> {
  const { scrollAnchor, page } = session.transcript;
  const { history } = session.opened.manager;
  const before = page.rows[0]?.rowId;
  if (scrollAnchor === null || before === undefined || scrollAnchor.messageId >= history.length) return ok(undefined);
  const entry = history.entry(messageId(scrollAnchor.messageId));
  if (!history.isVisible(entry)) return ok(undefined);
  const rowId = `message-${String(entry.batch ?? entry.id)}`;
  return revealRow(session, { rowId, before, keepsFocus: true, topPx: scrollAnchor.topPx }, (body) => {
    if (body.kind === "reveal" && session.transcript.scrollAnchor !== scrollAnchor) return; // the reader has scrolled since
    emit(body);
  });
}
