/** The user's other conversations, found for "@" by title and content, and as a part of a message. */

import type { ConversationListing } from "../../adapters/node/conversationFolders.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { shareOfBudget } from "../../core/context/budgetShare.ts";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { conversationAddress } from "../../protocol/conversationLink.ts";
import { localize, plural } from "../../protocol/localize.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { titleOf } from "../conversations/list/listedConversations.ts";
import { isSearchable } from "../conversations/list/searchConversations.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { attachedLabel, attachedText } from "../tools/recall/attachedConversation.ts";
import { formatAge } from "../words/formatting.ts";
import { bestMatches, fuzzyScore } from "./fuzzyScore.ts";
import type { Mention, PastConversation } from "./mention.ts";

const MOST_BY_TITLE = 4;
const MOST_BY_CONTENT = 4;
/** Messages of one conversation that are added with those beside them, as far as they fit. */
const MOST_MATCHES = 10;
/** A line of the menu shows no more. */
const EXCERPT_LENGTH = 80;
const LONGEST_NAME = 60;
/** The letters of a title that is meant are at the beginnings of words, or side by side; others are in any title. */
const LEAST_SCORE_PER_LETTER = 7;
/** Of the budget: several of them, and the conversation that they are added to, must have room beside it. */
const ATTACHED_PERCENT = 10;

export class PastConversations {
  readonly #conversations: Pick<Conversations, "listForSearch" | "index" | "session">;
  #listed: Promise<readonly ConversationListing[]> | undefined;

  constructor(conversations: Pick<Conversations, "listForSearch" | "index" | "session">) {
    this.#conversations = conversations;
  }

  /** Reads the list anew for the next query: a menu is being opened. */
  refresh(): void {
    this.#listed = undefined;
  }

  /** Best first. */
  async byTitle(query: string): Promise<readonly Mention[]> {
    if (!isSearchable(query)) return [];
    return this.#titled(query, await this.#others()).map((listing) => mentionOf(listing));
  }

  /** Those that have all of the words and are not found by their titles; best first. */
  async byContent(query: string, cancel: CancelSignal): Promise<readonly Mention[]> {
    if (!isSearchable(query)) return [];
    const others = await this.#others();
    const titled = this.#titled(query, others);
    const among = others.filter((listing) => whyNotRead(listing) === undefined && !titled.includes(listing));
    const found: Mention[] = [];
    await this.#conversations.index.search(
      {
        question: query,
        isOpen: true,
        needsAll: true,
        hitsEach: MOST_MATCHES,
        conversationLimit: MOST_BY_CONTENT,
        excerptLength: EXCERPT_LENGTH,
        among: among.map(({ id }) => id),
        isForModel: true,
      },
      {
        cancel,
        found: (id, hits) => {
          const listing = among.find((each) => each.id === id);
          const [best] = hits;
          if (listing === undefined || best === undefined) return;
          const matches = hits.map((hit) => hit.id);
          const count = plural(hits.length, "1 message", "{0} messages");
          const mention = mentionOf(listing, `${count} · ${onOneLine(best.excerpt)}`);
          found.push({ ...mention, conversation: { id, matches } });
        },
      },
    );
    return found.slice(0, MOST_BY_CONTENT);
  }

  /** Its digest, as a part of a message; the error is for the user. */
  async content(
    { id, matches }: PastConversation,
    budgetTokens: number,
    cancel: CancelSignal,
  ): Promise<Result<readonly AddedPart[], string>> {
    const listing = (await this.#others()).find((each) => each.id === id);
    if (listing === undefined) return err(localize("This cannot be added here."));
    const { lastUsedAtMs } = listing;
    const title = onOneLine(titleOf(listing), LONGEST_NAME);
    const why = whyNotRead(listing);
    if (why === "elsewhere")
      return err(localize("“{0}” is open in another window. Close it there, then add it.", title));
    const most = shareOfBudget(budgetTokens, ATTACHED_PERCENT);
    const digest = why === undefined ? await this.#conversations.index.digest(id, most, matches, cancel) : undefined;
    if (digest === undefined) return err(localize("“{0}” cannot be read, so it was not added.", title));
    if (digest.items.length === 0) return err(localize("“{0}” holds nothing that could be added.", title));
    const uri = conversationAddress({ conversationId: id, messageId: null });
    return ok([
      {
        kind: "attachment",
        label: attachedLabel(title),
        uri,
        text: attachedText(digest, { id, title, lastUsedAtMs }),
      },
    ]);
  }

  /** All but the open one. */
  async #others(): Promise<readonly ConversationListing[]> {
    this.#listed ??= this.#conversations.listForSearch();
    const open = this.#conversations.session?.opened.id;
    return (await this.#listed).filter(({ id }) => id !== open);
  }

  #titled(query: string, others: readonly ConversationListing[]): readonly ConversationListing[] {
    const least = query.length * LEAST_SCORE_PER_LETTER;
    const meant = others.filter((listing) => (fuzzyScore(query, titleOf(listing)) ?? 0) >= least);
    return bestMatches(query, meant, titleOf, MOST_BY_TITLE);
  }
}

function whyNotRead({ openIn, broken }: ConversationListing): "elsewhere" | "broken" | undefined {
  if (broken !== undefined) return "broken";
  return openIn === "free" ? undefined : "elsewhere";
}

function mentionOf(listing: ConversationListing, more?: string): Mention {
  const why = whyNotRead(listing);
  const facts = [
    formatAge(Date.now() - listing.lastUsedAtMs),
    ...(why === "elsewhere" ? [localize("open in another window")] : []),
    ...(why === "broken" ? [localize("cannot be read")] : []),
    ...(more === undefined ? [] : [more]),
  ];
  const label = onOneLine(titleOf(listing), LONGEST_NAME);
  return { kind: "conversation", label, description: facts.join(" · "), conversation: { id: listing.id } };
}
