/** Attachments of the message that is being typed: found by name, dropped, pasted, removed. */

import type { AddedPart } from "../../core/journal/addedParts.ts";
import { pastedLabel } from "../../core/journal/pastedText.ts";
import { ok, type Result } from "../../core/result.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { attachmentIdOf, type AttachmentRejection } from "../session/composer/composerAttachments.ts";
import { attachmentView } from "../transcript/attachmentViews.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import { type AskUser, PendingAttachments } from "./pendingAttachments.ts";
import { droppedContents, pastedContent } from "./droppedContent.ts";
import { MentionFinder } from "./mentionFinder.ts";
import type { Mention } from "./mention.ts";
import { mentionContent, type ReadContext } from "./mentionContent.ts";
import type { PastConversations } from "./pastConversations.ts";
import { terminalContent } from "./terminalContent.ts";
import { showWarning } from "../editor/boxes/messages.ts";

/** Items taken at a time: as many as a message can hold. */
const MOST_DROPPED = 50;
/** Reasons shown in one notice; the others are only counted. */
const MOST_REASONS = 3;

/** The view's messages about attachments. */
export type AttachToHost = Extract<
  ToHost,
  { kind: "findMentions" | "attach" | "attachUris" | "attachData" | "attachText" | "detach" | "detachPaste" }
>;

type OtherConversations = Pick<PastConversations, "refresh" | "byTitle" | "byContent" | "content">;

type Finder = Pick<MentionFinder, "find" | "dispose">;

interface AttachTarget {
  readonly session: Session;
  /** Messages queued by then: the attachment goes with the one after them. */
  readonly after: ReadonlySet<string>;
  /** Reasons already shown for other items of the same list. */
  readonly reasons: Set<string>;
}

export class AttachmentHandler {
  readonly #dist: string;
  readonly #tools: Pick<WindowTools, "createConversationTools">;
  readonly #views: Pick<ChatViews, "post">;
  readonly #presenter: Pick<Presenter, "showBanner">;
  readonly #past: OtherConversations;
  readonly #finder: Finder;
  readonly #found = new Map<string, Mention>();
  #searching = new AbortController();
  readonly #beingAdded = new PendingAttachments();
  /** Pasted texts that are not stored yet. */
  #pasting: Promise<unknown> = Promise.resolve();

  /**
   * `dist` is the folder of the bundled files. `tools` makes new tools, so that nothing read here counts as seen by the
   * model.
   */
  constructor(
    dist: string,
    tools: Pick<WindowTools, "createConversationTools">,
    views: Pick<ChatViews, "post">,
    presenter: Pick<Presenter, "showBanner">,
    past: OtherConversations,
    finder: Finder = new MentionFinder(dist, past),
  ) {
    this.#past = past;
    this.#dist = dist;
    this.#tools = tools;
    this.#views = views;
    this.#presenter = presenter;
    this.#finder = finder;
  }

  async handle(message: AttachToHost, session: Session): Promise<void> {
    const place = attachTarget(session);
    switch (message.kind) {
      case "findMentions":
        await this.#find(message.requestId, message.query);
        return;
      case "attach": {
        const mention = this.#found.get(message.mentionId);
        if (mention === undefined) {
          this.showNotAdded();
          return;
        }
        await this.#adding(session, async (asks) => {
          await this.#add(place, await this.#contentOf(mention, session, asks));
        });
        return;
      }
      case "attachUris":
        await this.#adding(session, async (asks) => {
          const { connection } = session;
          const dist = this.#dist;
          const leftOut = overLimitNotice(message.uris.length);
          if (leftOut !== "") this.#addReason(place, leftOut);
          const context = { connection, dist, reading: this.#reading(asks) };
          const uris = message.uris.slice(0, MOST_DROPPED);
          for await (const read of droppedContents(uris, context)) await this.#add(place, read);
        });
        return;
      case "attachData": {
        const bytes = Buffer.from(message.dataBase64, "base64");
        const read = pastedContent(message.name, bytes, session.connection);
        await this.#adding(session, () => this.#add(place, read));
        return;
      }
      case "attachText": {
        const { pasteId, text } = message;
        const part: AddedPart = { kind: "attachment", label: pastedLabel(text), text };
        const adding = session.composer.attachments.add(part, pasteId, place.after);
        this.#pasting = Promise.allSettled([this.#pasting, adding]);
        const added = await adding;
        if (!added.ok) this.#notAdded(place, part, added.error);
        return;
      }
      case "detachPaste":
        await this.#pasting;
        await session.composer.attachments.remove(attachmentIdOf(message.pasteId));
        return;
      case "detach":
        await session.composer.attachments.remove(message.attachmentId);
        return;
    }
  }

  /** Adds what the active terminal shows, or its selection if `isSelected`. */
  async addTerminal(isSelected: boolean, session: Session): Promise<void> {
    const place = attachTarget(session);
    await this.#adding(session, async () => {
      const read = await terminalContent(isSelected);
      await this.#add(place, read.ok ? ok([read.value]) : read);
    });
  }

  /** Resolves when all that the user added so far is added, refused, or takes too long. */
  async added(): Promise<void> {
    await Promise.all([this.#pasting, this.#beingAdded.settled()]);
  }

  async #find(requestId: number, query: string): Promise<void> {
    this.#searching.abort();
    const search = new AbortController();
    this.#searching = search;
    this.#found.clear();
    let round = 0;
    await this.#finder.find(query, search.signal, ({ mentions, ...more }) => {
      const views = mentions.map((mention, index) => {
        const mentionId = `${String(requestId)}-${String(round)}-${String(index)}`;
        this.#found.set(mentionId, mention);
        return { mentionId, kind: mention.kind, label: mention.label, description: mention.description };
      });
      round++;
      this.#views.post({ kind: "mentions", requestId, mentions: views, ...more });
    });
  }

  /**
   * Delays sending a message and closing its conversation until `add` is done; the closing does not wait for an answer
   * of the user.
   */
  async #adding(session: Session, add: (asks: AskUser) => Promise<void>): Promise<void> {
    let pause = (): void => undefined;
    const expect = (): void => {
      session.composer.attachments.trackPending(
        Promise.race([adding, new Promise<void>((resolve) => (pause = resolve))]),
      );
    };
    const adding = this.#beingAdded.add((asks) =>
      add(async (question) => {
        pause();
        try {
          return await asks(question);
        } finally {
          expect();
        }
      }),
    );
    expect();
    await adding;
  }

  #contentOf(mention: Mention, session: Session, asks: AskUser): Promise<Result<readonly AddedPart[], string>> {
    const reading = this.#reading(asks);
    if (mention.conversation === undefined) return mentionContent(mention, reading);
    const { budgetTokens } = session.opened.manager.usage();
    return this.#past.content(mention.conversation, budgetTokens, reading.cancel);
  }

  #reading(asks: AskUser): ReadContext {
    return { tools: this.#tools.createConversationTools(), cancel: new AbortController().signal, asks };
  }

  async #add(place: AttachTarget, read: Result<readonly AddedPart[], string>): Promise<void> {
    if (!read.ok) {
      if (read.error !== "") this.#addReason(place, read.error);
      return;
    }
    for (const part of read.value) {
      const added = await place.session.composer.attachments.add(part, undefined, place.after);
      if (!added.ok) this.#notAdded(place, part, added.error);
    }
  }

  #notAdded(place: AttachTarget, part: AddedPart, why: AttachmentRejection): void {
    if (why === "tooMany") this.#addReason(place, localize("50 items are already added, which is the limit."));
    else if (why === "tooLarge")
      this.#addReason(place, localize("Together that is more than 25 MB. Take something away first."));
    else if (why === "closed") {
      // The chat shows another conversation by now, or is about to.
      const name = attachmentView(part, "", null)?.label ?? "";
      void showWarning(localize("{0} could not be read, so it was not added.", name));
    } else this.#presenter.showBanner(explain(why, ""));
  }

  /** Shows why an item was not added, after the reasons of others of the same list; each reason once. */
  #addReason({ reasons }: AttachTarget, reason: string): void {
    const all = [...reasons.add(reason)];
    const more = all.length - MOST_REASONS;
    this.showNotAdded([...all.slice(0, MOST_REASONS), ...(more > 0 ? [localize("{0} more", more)] : [])].join(" "));
  }

  showNotAdded(text = localize("This cannot be added here.")): void {
    this.#presenter.showBanner({ tone: "warning", text, actions: [] });
  }
}

function attachTarget(session: Session): AttachTarget {
  return { session, after: session.composer.attachments.messagesWaiting, reasons: new Set() };
}

/** The notice about items above the limit; empty where there are none. */
function overLimitNotice(count: number): string {
  const more = count - MOST_DROPPED;
  return more <= 0
    ? ""
    : plural(
        more,
        "At most {1} can be added at a time; 1 was left out.",
        "At most {1} can be added at a time; {0} were left out.",
        MOST_DROPPED,
      );
}
