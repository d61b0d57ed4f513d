/** The content of a summary, for its card in the chat. */

import { modelName } from "../../../core/models/modelName.ts";
import { shorten } from "../../../core/cutText.ts";
import type { FullHistory } from "../../../core/history/fullHistory.ts";
import { isErased, type Summary } from "../../../core/history/summaries/summary.ts";
import { messageId, messageNumber, summaryId } from "../../../core/ids.ts";
import type { HistoryEntry, Message } from "../../../core/message.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import type { MessageReader } from "../../../core/store/conversationStore.ts";
import { ok, type Result } from "../../../core/result.ts";
import { searchText } from "../../../core/search/searchText.ts";
import { unverifiedIn } from "../../../core/summary/facts/fabrication.ts";
import type { FactKind } from "../../../core/summary/facts/fact.ts";
import { readLedger } from "../../../core/summary/facts/ledger.ts";
import type { SummaryDetail, SummaryOriginal, SummaryOriginals } from "../../../protocol/summaryView.ts";
import { localize } from "../../../protocol/localize.ts";
import { attachmentsOf } from "../../transcript/attachmentViews.ts";
import { messageCards } from "../../transcript/callCards.ts";
import { messageText } from "../../transcript/rows.ts";
import { summaryMeta } from "../../transcript/summaryMeta.ts";
import { summaryPlace } from "../../transcript/summaryVersions.ts";
import { formatTokens } from "../../words/formatting.ts";

/** Original messages per page. */
const PAGE_MESSAGES = 20;
/** Limit of one original, in UTF-16 units; the whole message is in the chat itself and in the editor. */
const LONGEST_ORIGINAL = 4_000;

/** In display order. */
const TITLES: Readonly<Record<FactKind, string>> = {
  directive: localize("You said"),
  message: localize("Your messages"),
  decision: localize("Decisions"),
  error: localize("Errors"),
  command: localize("Commands"),
  quote: localize("Quotes"),
  path: localize("Paths"),
  url: localize("Addresses"),
  identifier: localize("Names"),
  quantity: localize("Figures"),
  version: localize("Versions"),
  commit: localize("Commits"),
  date: localize("Dates"),
  remark: localize("You also said"),
};

/** `undefined` when there is no summary with this id, or its text was erased. */
export function summaryDetail(
  id: number,
  {
    history,
    encoding,
    models,
  }: {
    readonly history: FullHistory;
    readonly encoding: "cl100k" | "o200k";
    readonly models: readonly string[];
  },
): SummaryDetail | undefined {
  const summary = history.summaries[id];
  if (summary === undefined || isErased(summary)) return undefined;
  const { content, covers } = summary;
  const { facts, rest } = readLedger(content);
  const kinds = Object.keys(TITLES) as FactKind[];
  return {
    content,
    notes: rest.trim(),
    facts: kinds.flatMap((kind) => {
      const texts = facts.filter((fact) => fact.kind === kind).map(({ text }) => text);
      return texts.length === 0 ? [] : [{ title: TITLES[kind], facts: texts }];
    }),
    unverified: unverifiedIn(content),
    versions: (summaryPlace(history, covers)?.versions ?? []).map((version, index) => ({
      summaryId: version.id,
      label: [
        localize("Version {0}", index + 1),
        localize("{0} tokens", formatTokens(version.tokenCount[encoding])),
        summaryMeta(version, history.spending.receipts),
      ].join(" · "),
      isShown: version.id === id,
    })),
    models: models.map((id) => ({ id, label: modelName(id) })),
  };
}

/** A page of the visible messages that summary `id` covers. */
export async function summaryOriginals(
  id: number,
  from: number,
  { history, store }: { readonly history: FullHistory; readonly store: MessageReader },
): Promise<Result<SummaryOriginals, StorageFailed>> {
  const ids = visibleIn(history.summary(summaryId(id)), history);
  // One more than is shown: it may hold the tool results of the last one.
  const read = await store.readMessages(ids.slice(from, from + PAGE_MESSAGES + 1));
  if (!read.ok) return read;
  const messages = read.value
    .slice(0, PAGE_MESSAGES)
    .map(({ entry, message }, index) => original(entry, message, read.value[index + 1]?.message));
  return ok({ from, total: ids.length, messages });
}

/** All originals as one text, for comparison with the summary. */
export async function originalsText(
  { covers }: Summary,
  { history, store }: { readonly history: FullHistory; readonly store: MessageReader },
): Promise<Result<string, StorageFailed>> {
  const read = await store.readMessages(visibleIn({ covers }, history));
  if (!read.ok) return read;
  const texts = read.value.map(({ entry, message }) => {
    return `### ${localize("Message {0}", messageNumber(entry.id))} · ${authorLabel(message)}\n\n${searchText(message)}`;
  });
  return ok(`${texts.join("\n\n")}\n`);
}

function visibleIn({ covers }: Pick<Summary, "covers">, history: FullHistory): ReturnType<typeof messageId>[] {
  const ids: ReturnType<typeof messageId>[] = [];
  for (let id: number = covers.start; id < covers.end; id++) {
    const entry = history.entry(messageId(id));
    if (history.isVisible(entry)) ids.push(entry.id);
  }
  return ids;
}

function original(entry: HistoryEntry, message: Message, next: Message | undefined): SummaryOriginal {
  const isTool = isToolMessage(message);
  const text = (isTool ? searchText(message) : messageText(message)).trim();
  return {
    messageId: entry.id,
    who: authorLabel(message),
    role: isTool ? "tool" : message.role,
    text: shorten(text, LONGEST_ORIGINAL),
    attachments: attachmentsOf(message, entry.leftOut),
    calls: messageCards(message, next),
  };
}

function isToolMessage(message: Message): boolean {
  return message.parts.some(({ kind }) => kind === "toolResult");
}

function authorLabel(message: Message): string {
  if (isToolMessage(message)) return localize("Tool");
  return message.role === "user"
    ? localize("You")
    : message.role === "assistant"
      ? localize("Answer")
      : localize("Note");
}
