/** Brings the newest summary into sight, wherever in the conversation it stands. */

import type { ChatViews } from "../view/chatViews.ts";
import { tellFailure } from "../words/tellFailure.ts";
import type { Presenter } from "../view/presenter.ts";
import { revealSummary } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";

/** Shows the marker of the summary that was made last; nothing happens where there is none. */
export async function showNewestSummary(
  session: Session,
  presenter: Presenter,
  views: Pick<ChatViews, "post">,
): Promise<void> {
  const summaryId = session.opened.manager.history.summaries.at(-1)?.id;
  views.post({ kind: "snapshot", view: presenter.snapshot() }); // then each page begins with the row asked from
  const before = session.transcript.page.rows[0]?.rowId;
  if (summaryId === undefined || before === undefined) return;
  const revealed = await revealSummary(session, { summaryId, before }, views.post);
  tellFailure(revealed, presenter);
}
