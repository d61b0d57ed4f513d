/** The items of a part of the next request, in words: what each is, why it is sent, where it can be seen. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import { formatTokens } from "../../core/context/contextUsage.ts";
import { TokenCosts } from "../../core/context/tokenCosts.ts";
import type { ContextSegment } from "../../core/context/workingContext.ts";
import type { MessageId } from "../../core/ids.ts";
import type { Message } from "../../core/message.ts";
import type { ConversationStore } from "../../core/ports.ts";
import type { ContextAttachment, ContextItem, ContextPartKind } from "../../protocol/contextView.ts";
import { localize, plural } from "../../protocol/localize.ts";

/** So much of a message says which one it is, in UTF-16 units. */
const LABEL_LENGTH = 120;
/** Words of so many messages are remembered, to be shown again without reading them. */
const MOST_REMEMBERED = 2_000;

/** What is said of a message whichever way it is sent. Never changes, but by an erasing. */
interface MessageWords {
  readonly label: string;
  readonly attachments: readonly ContextAttachment[];
}

/** Puts messages and summaries into words; remembers those of messages. */
export class ContextItems {
  readonly #words = new Map<MessageId, MessageWords>();

  /** Forgets what was read: another conversation is shown, or words were erased. */
  clear(): void {
    this.#words.clear();
  }

  /** The items for `segments`, in their order. What can not be read is named by its number alone. */
  async of(
    kind: ContextPartKind,
    segments: readonly ContextSegment[],
    { manager, store }: { readonly manager: ContextManager; readonly store: ConversationStore },
  ): Promise<readonly ContextItem[]> {
    await this.#read(
      segments.flatMap((segment) => (segment.kind === "original" || segment.kind === "excerpt" ? [segment.id] : [])),
      store,
    );
    return segments.flatMap((segment) => this.#itemOf(kind, segment, manager) ?? []);
  }

  #itemOf(kind: ContextPartKind, segment: ContextSegment, manager: ContextManager): ContextItem | undefined {
    const { history } = manager;
    switch (segment.kind) {
      case "omitted":
        return undefined;
      case "summary": {
        const { covers, originalTokens, level } = history.summary(segment.id);
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
          label: localize("Messages {0}–{1}", covers.start, covers.end - 1),
          tokens: segment.tokens,
          why: level > 1 ? localize("{0}, made of summaries of level {1}", stands, level - 1) : stands,
          place: { kind: "summary", id: segment.id },
          pinned: null,
          attachments: [],
        };
      }
      case "original":
      case "excerpt": {
        const { id, tokens } = segment;
        const words = this.#words.get(id);
        const isQuestion = id === history.entries.at(-1)?.turn && history.entry(id).role === "user";
        const why =
          segment.kind === "excerpt"
            ? localize("Too long: its tool results are sent as excerpts, the whole is in the history")
            : isQuestion && kind !== "pins"
              ? localize("The last question: always sent as it is")
              : "";
        return {
          itemId: `message-${String(id)}`,
          label: words?.label ?? localize("Message {0}", id),
          tokens,
          why,
          place: { kind: "message", id },
          pinned: history.pins.has(id),
          attachments: words?.attachments ?? [],
        };
      }
    }
  }

  async #read(ids: readonly MessageId[], store: ConversationStore): Promise<void> {
    const missing = ids.filter((id) => !this.#words.has(id));
    if (missing.length === 0) return;
    if (this.#words.size > MOST_REMEMBERED) this.#words.clear();
    const read = await store.readMessages(missing);
    for (const { entry, message } of read.ok ? read.value : []) this.#words.set(entry.id, wordsOf(message));
  }
}

/** "You: Why does the third retry never happen?" */
function wordsOf(message: Message): MessageWords {
  const calls = message.parts.flatMap((part) => (part.kind === "toolCall" ? [part.name] : []));
  const results = message.parts.flatMap((part) =>
    part.kind === "toolResult" ? [part.title ?? localize("a tool")] : [],
  );
  const texts = message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const said = cut(texts.join(" ").replaceAll(/\s+/g, " ").trim());
  const attachments = message.parts.flatMap((part, index) =>
    part.kind === "attachment" ? [{ index, label: part.label }] : [],
  );
  if (results.length > 0) return { label: localize("Result: {0}", cut(results.join(", "))), attachments };
  const who =
    message.role === "user" ? localize("You") : message.role === "assistant" ? localize("Answer") : localize("Note");
  const what = [
    ...(said === "" ? [] : [said]),
    ...(calls.length === 0 ? [] : [localize("calls {0}", calls.join(", "))]),
  ];
  return { label: what.length === 0 ? who : `${who}: ${what.join("; ")}`, attachments };
}

function cut(text: string): string {
  return text.length <= LABEL_LENGTH ? text : `${text.slice(0, LABEL_LENGTH).trimEnd()}…`;
}
