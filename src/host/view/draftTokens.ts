/** Token count of the message being typed, for the meter. */

import type { Presenter } from "./presenter.ts";
import type { Session } from "../session/session.ts";

/** Counts text and attachments. Dropped when these have changed meanwhile: that change is counted itself. */
export async function countDraft(session: Session, presenter: Pick<Presenter, "showDraftTokens">): Promise<void> {
  const { text, attachments } = session.composer;
  const { parts } = attachments;
  const isEmpty = text === "" && parts.length === 0;
  const ofText = await session.tokensOf({ role: "user", parts: [{ kind: "text", text }] });
  const tokens = ofText + (await attachments.tokens());
  const isSame = session.composer.text === text && attachments.parts.length === parts.length;
  if (isSame) presenter.showDraftTokens(isEmpty ? 0 : tokens, session);
}
