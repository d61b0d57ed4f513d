/** Ends a restore of files that a crash interrupted, once its conversation is open again. */

import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import { workspaceContents } from "../tools/files/workspaceContents.ts";
import type { Presenter } from "../view/presenter.ts";
import { info } from "../words/banners.ts";
import { explain } from "../words/explain.ts";
import { restoredText } from "./restoreFiles.ts";

export async function finishInterruptedRestore(
  { opened }: Pick<Session, "opened">,
  presenter: Pick<Presenter, "showBanner">,
  dist: string,
): Promise<void> {
  const finished = await opened.fileStates.finishInterrupted(workspaceContents(dist));
  if (!finished.ok) {
    presenter.showBanner(explain(finished.error, ""));
    return;
  }
  if (finished.value === undefined) return;
  const { restored, failed } = finished.value;
  const words = restoredText(restored, failed);
  presenter.showBanner(info(`${localize("The restore of files that was interrupted has been finished.")} ${words}`));
}
