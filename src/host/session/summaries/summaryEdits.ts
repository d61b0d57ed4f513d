/** Changes of summaries by the user: another text, or another version. Each change is a record. */

import type { SummarizerOutput } from "../../../core/context/summarization/completedSummary.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { storedWithoutExcluded } from "../../../core/history/exclusion.ts";
import { pagesOf } from "../../../core/history/readPages.ts";
import type { SummaryStateRecord } from "../../../core/history/records.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import { messageId, summaryId } from "../../../core/ids.ts";
import { textMessage } from "../../../core/message.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { markedAnew } from "../../../core/summary/write/editedText.ts";
import { retainedFacts } from "../../../core/summary/facts/retainedFacts.ts";
import { redact } from "../../../core/secrets/redact.ts";
import { sourceOf, type SummarySource, withJoinedAnswers } from "../../../core/summary/write/source.ts";
import { inSlices } from "../../../core/cooperativeTask.ts";
import { localize } from "../../../protocol/localize.ts";
import { readInSlices, yieldToHost } from "../../background/readInSlices.ts";
import type { Conversation } from "../../../core/conversation/conversation.ts";
import type { SessionServices } from "../sessionServices.ts";
import { summaryPlace } from "../../transcript/summaryVersions.ts";
import { formatTokens } from "../../words/formatting.ts";

/**
 * Stores `text` as a new version of summary `id`, in one transaction with `drops`. An error says why it cannot stand
 * for its messages; nothing is changed then.
 */
export async function editSummary(
  id: number,
  text: string,
  drops: readonly JournalWrite[],
  conversation: Conversation,
  { messageCounter, clock }: Pick<SessionServices, "messageCounter" | "clock">,
  cancel: AbortSignal,
): Promise<Result<unknown, ForgeError>> {
  const { context, history } = conversation;
  const before = history.summary(summaryId(id));
  const { start, end } = before.covers;
  const ids = Array.from({ length: end - start }, (_, index) => messageId(start + index));
  const prepared = await readInSlices(context, () => context.prepareSummarization(ids), cancel);
  if (!prepared.ok) return prepared;
  const pending = prepared.value;
  if (pending?.covers.start !== start || pending.covers.end !== end) return err(NOT_AS_IT_WAS);
  const edited = await editedText(text, before.covers, conversation, messageCounter, cancel);
  if (!edited.ok) return edited;
  // The user may write more than a model: only what is no smaller than its originals is refused.
  const roomy = { ...pending, maxTokens: pending.sourceTokens };
  return conversation.changeBy(() => {
    const draft = { ...edited.value, kind: before.kind, createdAtMs: clock.nowMs() };
    const record = context.completeSummarization(roomy, draft, "user");
    if (!record.ok) return err(refusalInWords(record.error, pending.sourceTokens));
    return ok({ records: [record.value], writes: drops });
  });
}

/** The user's text of a summary, counted and checked for facts. */
export type EditedText = Pick<SummarizerOutput, "content" | "tokens" | "factsKept" | "factsTotal">;

/** The user's text for a range: without secrets, with what is not in its messages marked, and counted. */
export async function editedText(
  text: string,
  { start, end }: MessageRange,
  { history, store }: Pick<Conversation, "history" | "store">,
  messageCounter: SessionServices["messageCounter"],
  cancel: AbortSignal,
): Promise<Result<EditedText, ForgeError>> {
  const visible = history.entries.slice(start, end).filter((entry) => history.isVisible(entry));
  const said: SummarySource[] = [];
  for (const page of pagesOf(visible)) {
    const read = await store.readMessages(page.map((entry) => entry.id));
    if (!read.ok) return read;
    const stored = read.value.map((each) => storedWithoutExcluded(each, history.entry(each.entry.id)));
    said.push(...stored.map(sourceOf));
  }
  const sources = withJoinedAnswers(said);
  const pace = { cancel, yieldToHost };
  const marked = await inSlices(markedAnew(redact(text).text.trim(), sources), pace);
  if (!marked.ok) return marked;
  const content = marked.value;
  const tokens = await messageCounter.count(textMessage("system", content));
  const facts = await inSlices(retainedFacts(content, sources), pace);
  if (!facts.ok) return facts;
  return ok({ content, tokens, factsKept: facts.value.kept, factsTotal: facts.value.total });
}

/** Uses version `id`; later versions become `replaced`, and can be used again in the same way. */
export function useVersion(
  id: number,
  conversation: Conversation,
  nowMs: number,
): Promise<Result<unknown, ForgeError>> {
  return conversation.changeBy((): Result<{ records: readonly SummaryStateRecord[] }, ForgeError> => {
    const { context, history } = conversation;
    const { covers } = history.summary(summaryId(id));
    const later = (summaryPlace(history, covers)?.versions ?? []).filter(
      (version) => version.id > id && version.state === "active",
    );
    const records: SummaryStateRecord[] = [];
    for (const change of [
      ...later.map((version) => ({ id: version.id, state: "replaced" as const })),
      { id: summaryId(id), state: "active" as const },
    ]) {
      const record = context.summaryStateRecord(change.id, change.state, nowMs);
      if (!record.ok) return record;
      records.push(record.value);
    }
    return ok({ records });
  });
}

const NOT_AS_IT_WAS: ForgeError = {
  code: "VALIDATION_ERROR",
  field: "summary",
  found: localize("messages that were pinned, hidden or answered since"),
  expected: localize("the messages that it was made of. Undo it, and summarize them again"),
};

/** Why a text is refused, for the user. */
export function refusalInWords(error: ForgeError, sourceTokens: number): ForgeError {
  if (error.code !== "VALIDATION_ERROR" || error.field !== "summary.tokens") return error;
  const found = localize("{0} tokens", formatTokens(Number(error.found)));
  return {
    ...error,
    field: "summary",
    found,
    expected: localize("fewer than the {0} that it stands for", formatTokens(sourceTokens)),
  };
}
