/** "Forge: Summarize Context" and `/summarize`: now, and in words when it can not be. */

import { explain } from "./explain.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import { localize } from "../protocol/localize.ts";

/** Summarizes what can be, or says why not; `focus` is what the summary is to dwell on. */
export async function summarizeNow(
  session: Session,
  presenter: Pick<Presenter, "showBanner">,
  focus?: string,
): Promise<void> {
  if (session.activity !== "idle") {
    presenter.showBanner({
      tone: "info",
      text: localize("Summarizing waits until this answer has ended."),
      actions: [],
    });
    return;
  }
  const done = await session.summaries.summarizeNow(focus === undefined ? {} : { focus });
  if (!done.ok) {
    if (done.error.code !== "CANCELLED") presenter.showBanner(explain(done.error, session.connection.provider.label));
  } else if (done.value === undefined) {
    presenter.showBanner({
      tone: "info",
      text: localize("There is nothing to summarize yet: the newest messages are always sent as they are."),
      actions: [],
    });
  }
}
