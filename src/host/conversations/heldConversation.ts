/**
 * Opens and closes the one conversation that this window holds, with its lease, its list entry and the record of what
 * was last open. Callers must serialize the calls.
 */

import path from "node:path";
import { createConversationFolder, findConversation } from "../../adapters/node/conversationFolders.ts";
import { watchHandOver } from "../../adapters/node/handOver.ts";
import { recordClosing, recordOpened } from "../../adapters/node/lastConversations.ts";
import { leaseState } from "../../adapters/node/lease.ts";
import { takeSummaryOrder } from "../../adapters/node/orderedSummary.ts";
import { storageFailed, type ForgeError } from "../../core/errors.ts";
import type { ConversationId } from "../../core/ids.ts";
import type { Clock } from "../../core/clock.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { Emitter } from "../background/emitter.ts";
import type { ForgeFolders } from "../editor/forgeFolders.ts";
import { ListingWriter } from "./list/listingWriter.ts";
import { info, SUMMARIZE } from "../words/banners.ts";
import type { Banner } from "../../protocol/toView.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import { rescueFile, rescueNotice } from "./rescue/rescueFile.ts";
import type { Session } from "../session/session.ts";
import { releaseFile } from "../opening/openConversation.ts";
import type { SessionOpener } from "../session/sessionOpener.ts";

/** Interval of attempts while another window holds the lease. */
const POLL_MS = 100;

export interface WindowFolders extends ForgeFolders {
  /** Identifies the window's folders; each set has its own last conversation. */
  readonly workspace: string;
}

export interface Opening {
  readonly id: ConversationId;
  /** Creates the conversation. */
  readonly isNew?: boolean;
  /** Also takes the lease of an owner whose state cannot be determined from here. */
  readonly takeOverUnknown?: boolean;
  /** How long to retry while another window holds the conversation; default 0. */
  readonly waitMs?: number;
  /** Called when the lease is held and nothing is shown yet. */
  readonly onLeaseHeld?: () => Promise<void>;
}

export class HeldConversation {
  readonly #place: WindowFolders;
  readonly #active: ActiveSession;
  readonly #opener: SessionOpener;
  readonly #presenter: Presenter;
  readonly #clock: Clock;
  readonly #listing: ListingWriter;
  readonly #handOverRequested = new Emitter<ConversationId>();
  #stopWatching: (() => void) | undefined;
  readonly #damaged = new Set<ConversationId>();
  /** Text whose storage failed in the previous conversation; it is moved into the next one. */
  #orphanedDraft = "";

  /** Fires when another window asks for the open conversation. */
  readonly onDidRequestHandOver = this.#handOverRequested.event;

  constructor(place: WindowFolders, active: ActiveSession, opener: SessionOpener, presenter: Presenter, clock: Clock) {
    this.#place = place;
    this.#active = active;
    this.#opener = opener;
    this.#presenter = presenter;
    this.#clock = clock;
    this.#listing = new ListingWriter(clock);
  }

  /** Conversations that were damaged at their last opening; a rescued one is removed. */
  get damaged(): ReadonlySet<ConversationId> {
    return this.#damaged;
  }

  /** Folder of all conversations. */
  get root(): string {
    return path.join(this.#place.storage, "conversations");
  }

  folderOf(id: ConversationId): string {
    return path.join(this.root, id);
  }

  /** False when it never contained a message. True when that cannot be determined: opening it reports the reason. */
  async mayExist(id: ConversationId): Promise<boolean> {
    const found = await findConversation(this.folderOf(id));
    return !found.ok || found.value !== "nothing";
  }

  /** Closes the open conversation and opens another one. On failure none is open. */
  async open(opening: Opening): Promise<Result<void, ForgeError>> {
    const clock = this.#clock;
    const before = this.#active.session;
    const previousId = before?.opened.id;
    const isSummaryCancelled = await this.close();
    const deadlineMs = clock.nowMs() + (opening.waitMs ?? 0);
    for (;;) {
      const opened = await this.#tryToOpen(opening);
      this.#noteDamage(opening.id, opened);
      if (opened.ok) await recordOpened(this.#place, { id: opening.id, previousId });
      if (opened.ok && before !== undefined && isSummaryCancelled)
        this.#presenter.showBanner(summaryCancelledBanner(before.title));
      const isHeldElsewhere = !opened.ok && opened.error.code === "CONVERSATION_IN_USE";
      if (!isHeldElsewhere || clock.nowMs() >= deadlineMs) return opened;
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
  }

  /**
   * Closes the open conversation, rescues what can be read of a damaged one, and opens that, with a notice of the
   * result. On failure none is open.
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
   * Ends running work, commits, closes the file and releases the lease. True when that cancelled a summary that the
   * user had requested; with `isLast`, the next opening reports it instead.
   */
  async close(isLast = false): Promise<boolean> {
    const { session } = this.#active;
    if (session === undefined) return false;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    const wasOrdered = session.summaries.orderState() === "running";
    await session.shutDown();
    const isSummaryCancelled = wasOrdered && session.summaries.orderState() === "cancelled";
    if (wasOrdered && !(isSummaryCancelled && isLast)) await takeSummaryOrder(session.opened.folder);
    await this.#listing.write(session);
    await session.composer.attachments.close(); // last: attachments added until then are saved
    const { unstoredText } = session.composer;
    if (unstoredText !== "") this.#orphanedDraft = unstoredText;
    this.#active.set(undefined);
    this.#presenter.show(undefined); // at once, or text typed now would be saved with the old draft
    await releaseFile(session.opened);
    return isSummaryCancelled;
  }

  /** Closes for a window that is being closed, and records what was open for the next window. */
  async closeForExit(): Promise<void> {
    const id = this.#active.session?.opened.id;
    await this.close(true);
    if (id === undefined) return;
    const isOpen = async (other: ConversationId): Promise<boolean> => {
      const folder = this.folderOf(other);
      const found = await findConversation(folder);
      return found.ok && found.value === "whole" && (await leaseState(folder)) === "alive";
    };
    await recordClosing(this.#place, { id, isOpen });
  }

  /** Writes the list entry of the open conversation. */
  async updateListing(): Promise<void> {
    const { session } = this.#active;
    if (session !== undefined) await this.#listing.write(session);
  }

  scheduleListingUpdate(): void {
    const { session } = this.#active;
    if (session !== undefined) this.#listing.scheduleWrite(session);
  }

  #noteDamage(id: ConversationId, opened: Result<void, ForgeError>): void {
    if (opened.ok) this.#damaged.delete(id);
    else if (opened.error.code === "STORAGE_FAILED" && opened.error.reason === "damaged") this.#damaged.add(id);
  }

  async #takeOrphanedDraft(session: Session): Promise<void> {
    const orphaned = this.#orphanedDraft;
    this.#orphanedDraft = "";
    if (orphaned === "") return;
    // The same conversation, reopened, has an older state of the same text.
    const { composer } = session;
    await composer.setText(orphaned.startsWith(composer.text) ? orphaned : `${composer.text}\n${orphaned}`);
  }

  async #tryToOpen({
    id,
    isNew = false,
    takeOverUnknown = false,
    onLeaseHeld,
  }: Opening): Promise<Result<void, ForgeError>> {
    const presenter = this.#presenter;
    const folder = this.folderOf(id);
    if (isNew) {
      const created = await createConversationFolder(this.root, id);
      if (!created.ok) return created;
    } else {
      const found = await findConversation(folder);
      if (!found.ok) return found;
      // Opening would create an empty file in place of the missing one.
      if (found.value !== "whole") return err(storageFailed("ENOENT", `no conversation.sqlite in ${folder}`));
    }
    const opened = await this.#opener.open({ id, folder, takeOverUnknown });
    if (!opened.ok) return opened;
    await onLeaseHeld?.();
    await this.#takeOrphanedDraft(opened.value);
    this.#active.set(opened.value);
    presenter.show(opened.value);
    this.#stopWatching = watchHandOver(folder, () => {
      this.#handOverRequested.fire(id);
    });
    await this.#listing.write(opened.value);
    const receipts = await takeSummaryOrder(folder);
    if (receipts === opened.value.opened.manager.history.spending.receipts.length)
      presenter.showBanner(summaryLostBanner());
    return ok(undefined);
  }
}

/** Switching conversations cancelled a summary that the user had requested. */
function summaryCancelledBanner(title: string): Banner {
  return info(
    localize(
      "The summary of “{0}” was cancelled, because you left that conversation. Nothing was changed in it; you can summarize it again there.",
      title,
    ),
  );
}

/** The window closed, or crashed, during a summary that the user had requested. */
function summaryLostBanner(): Banner {
  return {
    tone: "info",
    text: localize(
      "The summary that you requested was not finished when this conversation was last open. Nothing was changed.",
    ),
    actions: [SUMMARIZE],
  };
}
