import type { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import { countDraft } from "../view/draftTokens.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import type { ChatViews } from "../view/chatViews.ts";

/** Attaches the output of the active terminal, or only its selection, to the draft, and focuses the composer. */
export async function addTerminal(
  isSelected: boolean,
  session: Session,
  attaching: Pick<AttachmentHandler, "addTerminal">,
  presenter: Pick<Presenter, "showDraftTokens">,
  views: Pick<ChatViews, "focus">,
): Promise<void> {
  views.focus();
  await attaching.addTerminal(isSelected, session);
  await countDraft(session, presenter);
}
