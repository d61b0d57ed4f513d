/** Brings the newest summary into sight, wherever in the conversation it stands. */

import type { ToViewBody } from "../../protocol/toView.ts";
import { tellFailure } from "../words/tellFailure.ts";
import type { Presenter } from "../session/presenter.ts";
import { revealSummary } from "../session/revealMessage.ts";
import type { Session } from "../session/session.ts";

/** Shows the marker of the summary that was made last; nothing happens where there is none. */
export async function showNewestSummary(
  session: Session,
  { presenter, emit }: { readonly presenter: Presenter; readonly emit: (body: ToViewBody) => void },
): Promise<void> {
  const summaryId = session.opened.manager.history.summaries.at(-1)?.id;
  emit({ kind: "snapshot", view: presenter.snapshot() }); // then each page begins with the row asked from
  const before = session.transcript.page.rows[0]?.rowId;
  if (summaryId === undefined || before === undefined) return;
  const revealed = await revealSummary(session, { summaryId, before }, emit);
  tellFailure(revealed, presenter);
}
