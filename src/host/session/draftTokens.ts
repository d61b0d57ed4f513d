/** The size of the message that is being typed, for the meter. */

import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";

/** Counts what is about to be sent, with all that was added to it; what has changed meanwhile is counted by its own change. */
export async function countDraft(session: Session, presenter: Pick<Presenter, "showDraftTokens">): Promise<void> {
  const { draft, attachments } = session;
  const { parts } = attachments;
  const isEmpty = draft === "" && parts.length === 0;
  const ofText = await session.tokensOf({ role: "user", parts: [{ kind: "text", text: draft }] });
  const tokens = ofText + (await attachments.tokens());
  const isSame = session.draft === draft && session.attachments.parts.length === parts.length;
  if (isSame) presenter.showDraftTokens(isEmpty ? 0 : tokens, session);
}
