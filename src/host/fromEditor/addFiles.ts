/** Files and folders that are picked in the editor's own lists, for the message that is being typed. */

import * as vscode from "vscode";
import type { Attaching } from "../mentions/attaching.ts";
import { countDraft } from "../view/draftTokens.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import type { ChatViews } from "../view/chatViews.ts";

/** Adds what `context` names, which is one address or all that are selected, with the keyboard in the composer. */
export async function addFiles(
  context: unknown,
  session: Session,
  attaching: Pick<Attaching, "handle">,
  presenter: Pick<Presenter, "showDraftTokens">,
  views: Pick<ChatViews, "focus">,
): Promise<void> {
  const chosen: readonly unknown[] = Array.isArray(context) ? context : [context];
  const uris = chosen.flatMap((each) => (each instanceof vscode.Uri ? [each.toString()] : []));
  views.focus();
  await attaching.handle({ kind: "attachUris", uris }, session);
  await countDraft(session, presenter);
}
