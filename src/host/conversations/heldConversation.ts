/**
 * The conversation that this window holds: opened, shown, remembered and let go here, and nowhere else. At most one at a
 * time; callers see to it that these steps run one after the other.
 */

import path from "node:path";
import { createConversationFolder, findConversation } from "../../adapters/node/conversationFolders.ts";
import { watchHandOver } from "../../adapters/node/handOver.ts";
import { noteClosing, noteOpened } from "../../adapters/node/lastConversations.ts";
import { leaseState } from "../../adapters/node/lease.ts";
import { noteOrder, takeOrder } from "../../adapters/node/orderedSummary.ts";
import { storageFailed, type ForgeError } from "../../core/errors.ts";
import type { ConversationId } from "../../core/ids.ts";
import type { Clock } from "../../core/clock.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { Emitter } from "../background/emitter.ts";
import type { ForgeFolders } from "../editor/forgeFolders.ts";
import { ListingCopy } from "./list/listingCopy.ts";
import { info, SUMMARIZE } from "../words/banners.ts";
import type { Banner } from "../../protocol/toView.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import { rescueFile, rescueNotice } from "./rescue/rescuedFile.ts";
import type { Session } from "../session/session.ts";
import { letGo } from "../opening/openConversation.ts";
import type { SessionOpener } from "../session/sessionOpener.ts";

/** How often it is looked whether another window has let go. */
const POLL_MS = 100;

/** Where conversations lie, and which window this is. */
export interface WindowPlace extends ForgeFolders {
  /** Names the window's folders; each remembers its own last conversation. */
  readonly workspace: string;
}

/** What is to be opened, and how. */
export interface Opening {
  readonly id: ConversationId;
  /** It is to be made. */
  readonly isNew?: boolean;
  /** Also from an owner that nobody here can judge. */
  readonly takeOverUnknown?: boolean;
  /** Keep trying for so long while another window has it. */
  readonly waitMs?: number;
  /** Called when the conversation is held here and nothing of it is shown yet. */
  readonly held?: () => Promise<void>;
}

/** Opens, shows and lets go. */
export class HeldConversation {
  readonly #place: WindowPlace;
  readonly #active: ActiveSession;
  readonly #opener: SessionOpener;
  readonly #presenter: Presenter;
  readonly #clock: Clock;
  readonly #listing: ListingCopy;
  readonly #askedFor = new Emitter<ConversationId>();
  #stopWatching: (() => void) | undefined;
  readonly #damaged = new Set<ConversationId>();
  /** What was typed into a conversation whose storage had failed: it goes on into what is opened next. */
  #orphanedDraft = "";

  /** Fires when another window asks for what is open here. */
  readonly onDidAskFor = this.#askedFor.event;

  constructor(place: WindowPlace, active: ActiveSession, opener: SessionOpener, presenter: Presenter, clock: Clock) {
    this.#place = place;
    this.#active = active;
    this.#opener = opener;
    this.#presenter = presenter;
    this.#clock = clock;
    this.#listing = new ListingCopy(clock);
  }

  /** Conversations that were found damaged when they were opened; one that was rescued is none of them any more. */
  get damaged(): ReadonlySet<ConversationId> {
    return this.#damaged;
  }

  /** The folder of all conversations. */
  get root(): string {
    return path.join(this.#place.storage, "conversations");
  }

  /** The folder of a conversation. */
  folderOf(id: ConversationId): string {
    return path.join(this.root, id);
  }

  /** False when nothing was ever said in it. What cannot be looked at counts as there: opening it says why. */
  async isThere(id: ConversationId): Promise<boolean> {
    const found = await findConversation(this.folderOf(id));
    return !found.ok || found.value !== "nothing";
  }

  /** Lets go of what is open and opens another conversation. When that fails, none is open. */
  async open(opening: Opening): Promise<Result<void, ForgeError>> {
    const clock = this.#clock;
    const before = this.#active.session;
    const left = before?.opened.id;
    const isOrderCut = await this.close();
    const deadlineMs = clock.nowMs() + (opening.waitMs ?? 0);
    for (;;) {
      const opened = await this.#tryToOpen(opening);
      this.#noteDamage(opening.id, opened);
      if (opened.ok) await noteOpened(this.#place, { id: opening.id, left });
      if (opened.ok && before !== undefined && isOrderCut) this.#presenter.showBanner(orderCut(before.title));
      const isHeldElsewhere = !opened.ok && opened.error.code === "CONVERSATION_IN_USE";
      if (!isHeldElsewhere || clock.nowMs() >= deadlineMs) return opened;
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
  }

  /**
   * Lets go of what is open, rescues what can be read of a damaged conversation, and opens it; the chat says what became of
   * it. When that fails, none is open.
   */
  async rescue(id: ConversationId): Promise<Result<void, ForgeError>> {
    await this.close();
    this.#presenter.block({
      tone: "info",
      text: localize("Rescuing what can be read. The damaged file is kept as it is."),
      actions: [],
    });
    const rescued = await rescueFile(this.folderOf(id), this.#place.dist);
    if (!rescued.ok) return rescued;
    const opened = await this.open({ id });
    if (opened.ok) this.#active.session?.transcript.add([rescueNotice(rescued.value)]);
    return opened;
  }

  /**
   * Ends what runs, commits, closes the file and frees the lease. Answers whether that has cut a summary that the user had
   * ordered; where nobody is left to say so here, who opens it next does: then it `isLast`.
   */
  async close(isLast = false): Promise<boolean> {
    const { session } = this.#active;
    if (session === undefined) return false;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    const wasOrdered = session.summaries.orderState() === "running";
    await session.settle();
    const isOrderCut = wasOrdered && session.summaries.orderState() === "cancelled";
    const { folder, manager } = session.opened;
    if (isOrderCut && isLast) await noteOrder(folder, manager.history.spending.receipts.length);
    await this.#listing.write(session);
    await session.composer.attachments.close(); // the last: what is added until then is kept
    const { unstoredText } = session.composer;
    if (unstoredText !== "") this.#orphanedDraft = unstoredText;
    this.#active.set(undefined);
    this.#presenter.show(undefined); // at once, or what is typed now would go with the old one's draft
    await letGo(session.opened);
    return isOrderCut;
  }

  /** Closes because the window is being closed, and remembers for the next one what was open. */
  async leave(): Promise<void> {
    const id = this.#active.session?.opened.id;
    await this.close(true);
    if (id === undefined) return;
    const isOpen = async (other: ConversationId): Promise<boolean> => {
      const folder = this.folderOf(other);
      const found = await findConversation(folder);
      return found.ok && found.value === "whole" && (await leaseState(folder)) === "alive";
    };
    await noteClosing(this.#place, { id, isOpen });
  }

  /** Makes sure that the list shows it as it is now. */
  async updateListing(): Promise<void> {
    const { session } = this.#active;
    if (session !== undefined) await this.#listing.write(session);
  }

  /** Something of it changed: the list's copy follows after a pause. */
  noteChange(): void {
    const { session } = this.#active;
    if (session !== undefined) this.#listing.note(session);
  }

  #noteDamage(id: ConversationId, opened: Result<void, ForgeError>): void {
    if (opened.ok) this.#damaged.delete(id);
    else if (opened.error.code === "STORAGE_FAILED" && opened.error.reason === "damaged") this.#damaged.add(id);
  }

  async #takeOrphanedDraft(session: Session): Promise<void> {
    const orphaned = this.#orphanedDraft;
    this.#orphanedDraft = "";
    if (orphaned === "") return;
    // The same conversation, opened again, has an older state of the same text.
    const { composer } = session;
    await composer.setText(orphaned.startsWith(composer.text) ? orphaned : `${composer.text}\n${orphaned}`);
  }

  async #tryToOpen({ id, isNew = false, takeOverUnknown = false, held }: Opening): Promise<Result<void, ForgeError>> {
    const presenter = this.#presenter;
    const folder = this.folderOf(id);
    if (isNew) {
      const created = await createConversationFolder(this.root, id);
      if (!created.ok) return created;
    } else {
      const found = await findConversation(folder);
      if (!found.ok) return found;
      // Opening would make an empty one under the name of that which is gone.
      if (found.value !== "whole") return err(storageFailed("ENOENT", `no conversation.sqlite in ${folder}`));
    }
    const opened = await this.#opener.open({ id, folder, takeOverUnknown });
    if (!opened.ok) return opened;
    await held?.();
    await this.#takeOrphanedDraft(opened.value);
    this.#active.set(opened.value);
    presenter.show(opened.value);
    this.#stopWatching = watchHandOver(folder, () => {
      this.#askedFor.fire(id);
    });
    await this.#listing.write(opened.value);
    const receipts = await takeOrder(folder);
    if (receipts === opened.value.opened.manager.history.spending.receipts.length) presenter.showBanner(orderLost());
    return ok(undefined);
  }
}

/** The user had ordered a summary of what was left: it was not written to its end. */
function orderCut(title: string): Banner {
  return info(
    localize(
      "The summary of “{0}” was cancelled, because you left that conversation. Nothing was changed in it; you can summarize it again there.",
      title,
    ),
  );
}

/** The same where the window was closed, or Forge ended in any other way. */
function orderLost(): Banner {
  return {
    tone: "info",
    text: localize(
      "The summary that you had ordered was not finished when this conversation was last open. Nothing was changed.",
    ),
    actions: [SUMMARIZE],
  };
}
