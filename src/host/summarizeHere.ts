/** "Forge: Summarize Context" of a message's own menu: what lies above or below it, or it alone. */

import * as vscode from "vscode";
import { messageId } from "../core/ids.ts";
import { localize } from "../protocol/localize.ts";
import { messageIn } from "./messageInContext.ts";
import type { Session } from "./session.ts";
import { summarize, type BannerPlace } from "./summarizeCommand.ts";

/**
 * "Forge: Summarize Context": of the palette what the strategies plan; of a message's own menu what the user picks, above
 * or below it, with a word on what to keep.
 */
export async function summarizeHere(session: Session, presenter: BannerPlace, context: unknown): Promise<void> {
  const clicked = messageIn(context, session);
  if (clicked === undefined) {
    await summarize(session, {}, presenter);
    return;
  }
  const { length } = session.opened.manager.history;
  const ranges = [
    {
      label: localize("Everything above, with this message"),
      range: { start: messageId(0), end: messageId(clicked + 1) },
    },
    { label: localize("This message and everything below"), range: { start: clicked, end: messageId(length) } },
    { label: localize("Only this message"), range: { start: clicked, end: messageId(clicked + 1) } },
  ];
  const title = localize("Forge: Summarize");
  const placeHolder = localize("The originals are kept. The newest and the pinned messages stay as they are.");
  const picked = await vscode.window.showQuickPick(ranges, { title, placeHolder });
  if (picked === undefined) return;
  const focus = await vscode.window.showInputBox({
    title,
    prompt: localize("What to keep above all. May be left empty."),
  });
  if (focus !== undefined) await summarize(session, { range: picked.range, focus }, presenter);
}
