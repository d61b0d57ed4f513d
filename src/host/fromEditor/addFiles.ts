import * as vscode from "vscode";
import type { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import { countDraft } from "../view/draftTokens.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import type { ChatViews } from "../view/chatViews.ts";

/**
 * Attaches files and folders selected in the editor's lists to the draft, and focuses the composer. `context` is one
 * URI or all selected ones.
 */
export async function addFiles(
  context: unknown,
  session: Session,
  attaching: Pick<AttachmentHandler, "handle">,
  presenter: Pick<Presenter, "showDraftTokens">,
  views: Pick<ChatViews, "focus">,
): Promise<void> {
  const chosen: readonly unknown[] = Array.isArray(context) ? context : [context];
  const uris = chosen.flatMap((each) => (each instanceof vscode.Uri ? [each.toString()] : []));
  views.focus();
  await attaching.handle({ kind: "attachUris", uris }, session);
  await countDraft(session, presenter);
}
