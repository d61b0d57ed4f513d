/** Files and folders that are picked in the editor's own lists, for the message that is being typed. */

import * as vscode from "vscode";
import type { Session } from "../session/session.ts";

/** What they are added with. */
export interface AddFilesWorld {
  /** Adds what these addresses name to the message. */
  readonly attachFiles: (addresses: readonly string[], session: Session) => Promise<void>;
  /** Shows anew how large the message is. */
  readonly countDraft: (session: Session) => Promise<void>;
  /** Puts the keyboard into the composer. */
  readonly focus: () => void;
}

/** Adds what `context` names, which is one address or all that are selected. */
export async function addFiles(
  context: unknown,
  session: Session,
  { attachFiles, countDraft, focus }: AddFilesWorld,
): Promise<void> {
  const chosen: readonly unknown[] = Array.isArray(context) ? context : [context];
  const addresses = chosen.flatMap((each) => (each instanceof vscode.Uri ? [each.toString()] : []));
  focus();
  await attachFiles(addresses, session);
  await countDraft(session);
}
