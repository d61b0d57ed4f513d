import type { ChatViews } from "../view/chatViews.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import type { Presenter } from "../view/presenter.ts";
import { revealSummary } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";

/** Scrolls the chat to the marker of the newest summary; does nothing when there is none. */
export async function showNewestSummary(
  session: Session,
  presenter: Presenter,
  views: Pick<ChatViews, "post">,
): Promise<void> {
  const summaryId = session.opened.manager.history.summaries.at(-1)?.id;
  views.post({ kind: "snapshot", view: presenter.snapshot() }); // after it, `before` is the oldest row of all pages
  const before = session.transcript.page.rows[0]?.rowId;
  if (summaryId === undefined || before === undefined) return;
  const revealed = await revealSummary(session, { summaryId, before }, views.post);
  showFailureIn(revealed, presenter);
}
