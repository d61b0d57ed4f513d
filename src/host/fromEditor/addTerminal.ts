/** What a terminal shows, for the message that is being typed. */

import type { Attaching } from "../mentions/attaching.ts";
import { countDraft } from "../view/draftTokens.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import type { ChatViews } from "../view/chatViews.ts";

/** Adds what the terminal in front shows, or what `isSelected` in it, with the keyboard in the composer. */
export async function addTerminal(
  isSelected: boolean,
  session: Session,
  attaching: Pick<Attaching, "addTerminal">,
  presenter: Pick<Presenter, "showDraftTokens">,
  views: Pick<ChatViews, "focus">,
): Promise<void> {
  views.focus();
  await attaching.addTerminal(isSelected, session);
  await countDraft(session, presenter);
}
