import type { SummaryAction } from "../../protocol/toHost.ts";
import type { ForgeError } from "../../core/errors.ts";
import { messageNumber, modelId, summaryId } from "../../core/ids.ts";
import { assertNever, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { withDelayedProgress } from "../editor/boxes/delayedProgress.ts";
import { explain } from "../words/explain.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import type { Session } from "../session/session.ts";
import { requestDocument } from "../session/summaries/summaryRequest.ts";
import { originalsText, summaryOriginals } from "../session/summaries/summaryDetail.ts";
import { summarizeOrExplain } from "../commands/summarizeCommand.ts";

/** Executes an action of the page on summary `id`; an unknown id is ignored. */
export async function handleSummaryAction(
  session: Session,
  { summaryId: id, ask }: { readonly summaryId: number; readonly ask: SummaryAction },
  documents: Pick<ReadOnlyDocuments, "compare" | "show">,
  presenter: Pick<Presenter, "showBanner" | "dropNote">,
  views: Pick<ChatViews, "post">,
): Promise<void> {
  const { opened, summaries, connection } = session;
  const { history } = opened.manager;
  if (id >= history.summaryCount) return;
  const showFailure = (done: Result<unknown, ForgeError>): void => {
    if (!done.ok && done.error.code !== "CANCELLED") {
      presenter.showBanner(explain(done.error, connection.provider.label));
    }
  };
  const source = { history, store: opened.store };
  switch (ask.what) {
    case "originals": {
      const originals = await summaryOriginals(id, ask.from, source);
      if (originals.ok) views.post({ kind: "summaryOriginals", summaryId: id, originals: originals.value });
      else showFailure(originals);
      return;
    }
    case "edit":
      showFailure(await summaries.edit(id, ask.text));
      return;
    case "use":
      showFailure(await summaries.use(id));
      return;
    case "request": {
      const asked = await withDelayedProgress(localize("Reading the request for this summary"), (cancel) =>
        summaries.automatic.driver.requestOf(summaryId(id), cancel),
      );
      if (!asked.ok) showFailure(asked);
      else {
        const text = requestDocument(asked.value, history.summary(summaryId(id)));
        await documents.show({ name: "Summary request.md", text });
      }
      return;
    }
    case "again": {
      const focus = ask.focus.trim();
      const again = { id: summaryId(id), sizePercent: ask.sizePercent };
      const wanted = {
        regenerate: ask.model === "" ? again : { ...again, model: modelId(ask.model) },
        ...(focus === "" ? {} : { focus }),
      };
      await summarizeOrExplain(session, wanted, presenter);
      return;
    }
    case "compare": {
      const shown = history.summary(summaryId(id));
      const name = localize("Messages {0}–{1}", messageNumber(shown.covers.start), shown.covers.end);
      const after = { name: "Summary.md", text: `${shown.content}\n` };
      if (ask.version !== null && ask.version < history.summaryCount) {
        const earlier = history.summary(summaryId(ask.version));
        await documents.compare(
          { name: "Earlier version.md", text: `${earlier.content}\n` },
          after,
          localize("{0}: versions", name),
        );
        return;
      }
      const originals = await originalsText(shown, source);
      if (!originals.ok) showFailure(originals);
      else
        await documents.compare(
          { name: "Originals.md", text: originals.value },
          after,
          localize("{0}: originals ↔ summary", name),
        );
      return;
    }
    default:
      assertNever(ask);
  }
}
