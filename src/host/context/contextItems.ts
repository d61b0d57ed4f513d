/**
 * Items of the context view: messages and summaries, with a label, the reason why each is sent, and a place to open.
 */

import { beginningOf } from "../../core/cutText.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import { runningQuestion } from "../../core/context/cut/preservedMessages.ts";
import { TokenCosts } from "../../core/context/tokenCosts.ts";
import type { ContextSegment } from "../../core/context/cut/workingContext.ts";
import { type MessageId, messageNumber, type ToolCallId } from "../../core/ids.ts";
import type { Message, TokenCounts } from "../../core/message.ts";
import type { MessageReader } from "../../core/store/conversationStore.ts";
import type { ContextAttachment, ContextItem, ContextPartKind } from "../../protocol/contextView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { callTitle } from "../tools/callTitle.ts";
import { attachmentView } from "../transcript/attachmentViews.ts";
import { summaryCause, summaryEffect, summaryMeta, summaryNumber } from "../transcript/summaryMeta.ts";
import { plainWords } from "../words/plainWords.ts";
import { formatTokens } from "../words/formatting.ts";

/** Length of a label, in UTF-16 units. */
const LABEL_LENGTH = 120;
/** Cache size, in messages. */
const CACHE_SIZE = 2_000;

/** Texts of a message that do not depend on how it is sent. Only an erasure changes them. */
interface MessageTexts {
  readonly label: string;
  readonly attachments: readonly AttachmentTexts[];
}

interface AttachmentTexts {
  readonly index: number;
  readonly label: string;
  readonly counts: TokenCounts;
}

export interface ItemSource {
  readonly manager: ContextManager;
  readonly store: MessageReader;
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
}

type RecalledSegment = Extract<ContextSegment, { kind: "recalled" }>;

/** Builds the items; caches the texts of messages. */
export class ContextItems {
  readonly #words = new Map<MessageId, MessageTexts>();

  /** Evicts everything: another conversation is shown, or a message was erased. */
  clear(): void {
    this.#words.clear();
  }

  /** The items of `segments`, in the same order; an omitted one is that of a single message. A message that cannot be read is labelled with its number alone. */
  async itemsOf(
    kind: ContextPartKind,
    segments: readonly ContextSegment[],
    source: ItemSource,
  ): Promise<readonly ContextItem[]> {
    await this.#read(
      segments.flatMap((segment) => {
        if (segment.kind === "recalled") return segment.passages.map(({ id }) => id);
        if (segment.kind === "omitted") return [segment.covers.start];
        return segment.kind === "original" || segment.kind === "excerpt" ? [segment.id] : [];
      }),
      source,
    );
    return segments.flatMap((segment, index) =>
      segment.kind === "recalled" ? this.#passageOf(segment, index) : [this.#itemOf(kind, segment, source.manager)],
    );
  }

  /** `segment` has one passage. */
  #passageOf({ beside, passages, tokens }: RecalledSegment, index: number): readonly ContextItem[] {
    return passages.map(({ id }) => ({
      itemId: `recalled-${String(index)}-${String(id)}`,
      label: this.#words.get(id)?.label ?? localize("Message {0}", messageNumber(id)),
      tokens,
      why: localize("Beside message {0}", messageNumber(beside)),
      place: { kind: "message", id },
      pinned: null,
      attachments: [],
    }));
  }

  #itemOf(
    kind: ContextPartKind,
    segment: Exclude<ContextSegment, RecalledSegment>,
    manager: ContextManager,
  ): ContextItem {
    const { history } = manager;
    switch (segment.kind) {
      case "omitted": {
        const id = segment.covers.start;
        return {
          itemId: `message-${String(id)}`,
          label: this.#words.get(id)?.label ?? localize("Message {0}", messageNumber(id)),
          tokens: new TokenCosts(manager.model).ofEntry(history.entry(id)),
          why: "",
          place: { kind: "message", id },
          pinned: false,
          attachments: [],
        };
      }
      case "summary": {
        const summary = history.summary(segment.id);
        const { covers, originalTokens, level } = summary;
        const { receipts } = history.spending;
        const { formula } = new TokenCosts(manager.model);
        const before = formatTokens(originalTokens[formula.encoding]);
        const stands = plural(
          history.visibleCount(covers.start, covers.end),
          "Stands for 1 message of {1} tokens",
          "Stands for {0} messages of {1} tokens",
          before,
        );
        return {
          itemId: `summary-${String(segment.id)}`,
          label: localize(
            "Summary {0}: messages {1}–{2}",
            summaryNumber(history, summary),
            messageNumber(covers.start),
            covers.end,
          ),
          tokens: segment.tokens,
          why: [
            level > 1 ? localize("{0}, made of summaries of level {1}", stands, level - 1) : stands,
            summaryCause(summary, receipts),
            summaryEffect(summary, receipts),
            summaryMeta(summary, receipts),
          ]
            .filter((text) => text !== "")
            .join(" · "),
          place: { kind: "summary", id: segment.id },
          pinned: null,
          attachments: [],
        };
      }
      case "original":
      case "excerpt": {
        const { id, tokens } = segment;
        const words = this.#words.get(id);
        const isQuestion = id === runningQuestion(history, history.length);
        const why =
          segment.kind === "excerpt"
            ? localize("Too long: an excerpt is sent, the whole is in the history")
            : isQuestion && kind !== "pins"
              ? localize("The last question: always sent as it is")
              : "";
        return {
          itemId: `message-${String(id)}`,
          label: words?.label ?? localize("Message {0}", messageNumber(id)),
          tokens,
          why,
          place: { kind: "message", id },
          pinned: history.pins.has(id),
          attachments: (words?.attachments ?? []).map((each) => shownAttachment(each, id, manager)),
        };
      }
    }
  }

  async #read(ids: readonly MessageId[], { store, countTokens }: ItemSource): Promise<void> {
    const missing = ids.filter((id) => !this.#words.has(id));
    if (missing.length === 0) return;
    if (this.#words.size > CACHE_SIZE) this.#words.clear();
    const read = await store.readMessages(missing);
    const found = read.ok ? read.value : [];
    const calls = new Map(found.flatMap(({ message }) => callsOf(message)));
    for (const { entry, message } of found) {
      const label = labelOf(message, calls);
      this.#words.set(entry.id, { label, attachments: await attachmentTexts(message, countTokens) });
    }
  }
}

async function attachmentTexts(
  message: Message,
  countTokens: ItemSource["countTokens"],
): Promise<readonly AttachmentTexts[]> {
  const words: AttachmentTexts[] = [];
  if (message.role !== "user") return words;
  for (const [index, part] of message.parts.entries()) {
    const view = attachmentView(part, String(index), null);
    if (view === undefined) continue;
    words.push({ index, label: view.label, counts: await countTokens({ role: "user", parts: [part] }) });
  }
  return words;
}

function shownAttachment(
  { index, label, counts }: AttachmentTexts,
  id: MessageId,
  { history, model }: ContextManager,
): ContextAttachment {
  const costs = new TokenCosts(model);
  const tokens = Math.max(0, costs.ofMessage(counts) - costs.withFraming(0));
  return { index, label, tokens, isExcluded: history.entry(id).leftOut?.includes(index) === true };
}

/** Titles of the tool calls of a message. */
function callsOf(message: Message): readonly (readonly [ToolCallId, string])[] {
  return message.parts.flatMap((part) => (part.kind === "toolCall" ? [[part.callId, callTitle(part)] as const] : []));
}

/** "You: Why does the third retry never happen?"; `calls` holds the call titles, for results without a title. */
function labelOf(message: Message, calls: ReadonlyMap<ToolCallId, string>): string {
  const results = message.parts.flatMap((part) =>
    part.kind === "toolResult" ? [part.title ?? calls.get(part.callId) ?? localize("a tool")] : [],
  );
  if (results.length > 0) return localize("Result: {0}", truncate(results.join(", ")));
  const who =
    message.role === "user" ? localize("You") : message.role === "assistant" ? localize("Answer") : localize("Note");
  const texts = message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const said = plainWords(texts.join("\n"), LABEL_LENGTH);
  const called = truncate(
    callsOf(message)
      .map(([, words]) => words)
      .join(", "),
  );
  if (said === "" && called === "") return who;
  if (said === "" || called === "") return `${who}: ${said}${called}`;
  return `${who}: ${said}${/\p{P}$/u.test(said) ? "" : ";"} ${called}`;
}

function truncate(text: string): string {
  return text.length <= LABEL_LENGTH ? text : `${beginningOf(text, LABEL_LENGTH).trimEnd()}…`;
}
