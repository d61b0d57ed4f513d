/** Finds for a model what was said in the user's other conversations, by the index over all of them. */

import type { ConversationListing } from "../../adapters/node/conversationFolders.ts";
import { raceCancel, type CancelSignal } from "../../core/cancellation.ts";
import { haveProjectInCommon } from "../../core/history/project.ts";
import { parseConversationId, type ConversationId, type MessageId } from "../../core/ids.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import type { RankedHit } from "../../core/search/ranking/rankedSearch.ts";
import type { OpenProjects } from "../tools/git/openProjects.ts";
import type {
  ElsewhereScope,
  FoundConversation,
  FoundElsewhere,
  OtherConversation,
  OtherConversations,
  ReadElsewhere,
  RecallFault,
} from "../tools/recall/otherConversations.ts";
import type { Conversations } from "./conversations.ts";
import { titleOf } from "./list/listedConversations.ts";

/** Messages in one result. */
const MOST_HITS = 10;
/** Their hits are compared with each other. */
const MOST_CONVERSATIONS = 20;
/** As long as in a result of the conversation's own. */
const EXCERPT_CHARS = 600;

type ListedConversations = Pick<Conversations, "listForSearch" | "index" | "session">;

interface Hit {
  readonly conversation: ConversationId;
  readonly hit: RankedHit;
}

export class RecallFromOthers implements OtherConversations {
  readonly #projects: Pick<OpenProjects, "current">;
  #conversations: ListedConversations | undefined;

  constructor(projects: Pick<OpenProjects, "current">) {
    this.#projects = projects;
  }

  /** Called once, before a conversation is opened. */
  connect(conversations: ListedConversations): void {
    this.#conversations = conversations;
  }

  async search(
    query: string,
    scope: ElsewhereScope,
    cancel: CancelSignal,
  ): Promise<Result<FoundElsewhere, RecallFault>> {
    const others = await this.#others(cancel);
    const projects = scope === "all" ? undefined : await this.#projects.current();
    if (projects?.length === 0) return err("noProject");
    const wanted = others.filter(
      ({ meta }) => projects === undefined || haveProjectInCommon(meta?.projects ?? [], projects),
    );
    const searched = wanted.filter(isSearched);
    const hits: Hit[] = [];
    const { index } = this;
    const unreadable = await index.search(
      {
        question: query,
        isOpen: false,
        needsAll: false,
        hitsEach: MOST_HITS,
        conversationLimit: MOST_CONVERSATIONS,
        excerptLength: EXCERPT_CHARS,
        among: searched.map(({ id }) => id),
        isForModel: true,
      },
      {
        cancel,
        found: (conversation, some) => {
          for (const hit of some) hits.push({ conversation, hit });
        },
      },
    );
    if (unreadable === undefined) return err("notSearched");
    const best = hits.sort((one, other) => compare(one.hit, other.hit)).slice(0, MOST_HITS);
    const conversations: FoundConversation[] = [];
    for (const id of new Set(best.map(({ conversation }) => conversation))) {
      const listing = searched.find((each) => each.id === id);
      const own = best.filter(({ conversation }) => conversation === id).map(({ hit }) => hit);
      const passages = await this.#passages(id, own, cancel);
      if (listing !== undefined && passages.length > 0) conversations.push({ ...nameOf(listing), passages });
    }
    const elsewhere = wanted.filter(({ openIn }) => openIn !== "free").length;
    const broken = wanted.length - searched.length - elsewhere;
    return ok({ conversations, searched: searched.length - unreadable, elsewhere, unreadable: unreadable + broken });
  }

  async read(id: string, message: MessageId, cancel: CancelSignal): Promise<Result<ReadElsewhere, RecallFault>> {
    const listing = (await this.#others(cancel)).find((each) => each.id === parseConversationId(id));
    if (listing === undefined) return err("unknown");
    if (listing.openIn !== "free") return err("openElsewhere");
    const page = await this.index.read(listing.id, [message], cancel);
    if (page === undefined) return err("unreadable");
    const [stored] = page.messages;
    const { messageCount } = page;
    return ok({ conversation: nameOf(listing), messageCount, ...(stored === undefined ? {} : { stored }) });
  }

  get index(): Conversations["index"] {
    return this.#connected.index;
  }

  get #connected(): ListedConversations {
    invariant(this.#conversations !== undefined, "tools run in an open conversation");
    return this.#conversations;
  }

  /**
   * All but the open one, and those that the user has left out. Without waiting for the list when cancelled: a
   * conversation that is being closed waits for its tools, and the list for that.
   */
  async #others(cancel: CancelSignal): Promise<readonly ConversationListing[]> {
    const open = this.#connected.session?.opened.id;
    const listed = await raceCancel(this.#connected.listForSearch(), cancel, []);
    return listed.filter(({ id, meta }) => id !== open && meta?.isLeftOut !== true);
  }

  async #passages(
    id: ConversationId,
    hits: readonly RankedHit[],
    cancel: CancelSignal,
  ): Promise<FoundConversation["passages"]> {
    const page = await this.index.read(
      id,
      hits.map((hit) => hit.id),
      cancel,
    );
    return hits.flatMap(({ id: message, excerpt }) => {
      const stored = page?.messages.find(({ entry }) => entry.id === message);
      return stored === undefined ? [] : [{ stored, excerpt }];
    });
  }
}

/** Without its entry in the list it is not known what the user has decided about it. */
function isSearched({ meta, openIn, broken }: ConversationListing): boolean {
  return meta !== undefined && openIn === "free" && broken === undefined;
}

function nameOf(listing: ConversationListing): OtherConversation {
  return { id: listing.id, title: titleOf(listing), lastUsedAtMs: listing.lastUsedAtMs };
}

/** As within one conversation: what has more of the quotes as they stand comes first. */
function compare(one: RankedHit, other: RankedHit): number {
  return other.exact - one.exact || other.score - one.score;
}
