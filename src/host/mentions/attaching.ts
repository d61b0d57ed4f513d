/** What the user adds to the message that is being typed: found by name, dropped, pasted, taken away again. */

import * as vscode from "vscode";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import { pastedLabel } from "../../core/journal/pastedText.ts";
import { ok, type Result } from "../../core/result.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { attachmentIdOf, type NotAdded } from "../session/composer/composerAttachments.ts";
import { attachmentView } from "../transcript/attachmentViews.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import { type Asks, BeingAdded } from "./beingAdded.ts";
import { droppedContent, pastedContent } from "./droppedContent.ts";
import { MentionFinder } from "./findMentions.ts";
import type { Mention } from "./mention.ts";
import { mentionContent, type Reading } from "./mentionContent.ts";
import { terminalContent } from "./terminalContent.ts";

/** Things that are taken at a time: as many as a message holds. */
const MOST_DROPPED = 50;
/** So many reasons why some of them were not added are said one by one. */
const MOST_REASONS = 3;

/** What the view says of what is added to the message. */
export type AttachToHost = Extract<
  ToHost,
  { kind: "findMentions" | "attach" | "attachUris" | "attachData" | "attachText" | "detach" | "detachPaste" }
>;

/** What it is added to. */
interface Place {
  readonly session: Session;
  /** The messages that wait, after which it is added: it goes with the next one. */
  readonly after: ReadonlySet<string>;
  /** What was said of things that were picked together with it. */
  readonly reasons: Set<string>;
}

/** The attachments of the open conversation. */
export class Attaching {
  readonly #dist: string;
  readonly #tools: Pick<WindowTools, "ofConversation">;
  readonly #views: Pick<ChatViews, "post">;
  readonly #presenter: Pick<Presenter, "showBanner">;
  readonly #finder: MentionFinder;
  readonly #found = new Map<string, Mention>();
  #searching = new AbortController();
  readonly #beingAdded = new BeingAdded();
  /** Texts that were pasted and are not on the disk yet. */
  #pasting: Promise<unknown> = Promise.resolve();

  /** `dist` is the folder of the shipped files. Of `tools` it takes new ones, so that nothing counts as seen by the model. */
  constructor(
    dist: string,
    tools: Pick<WindowTools, "ofConversation">,
    views: Pick<ChatViews, "post">,
    presenter: Pick<Presenter, "showBanner">,
  ) {
    this.#dist = dist;
    this.#tools = tools;
    this.#views = views;
    this.#presenter = presenter;
    this.#finder = new MentionFinder(dist);
  }

  /** Does what the view asks for; resolves when it is done. */
  async handle(message: AttachToHost, session: Session): Promise<void> {
    const place = placeIn(session);
    switch (message.kind) {
      case "findMentions":
        await this.#find(message.requestId, message.query);
        return;
      case "attach": {
        const mention = this.#found.get(message.mentionId);
        if (mention === undefined) {
          this.refuse();
          return;
        }
        await this.#adding(session, async (asks) => {
          await this.#add(place, await mentionContent(mention, this.#reading(asks)));
        });
        return;
      }
      case "attachUris":
        await this.#adding(session, async (asks) => {
          const { connection } = session;
          const dist = this.#dist;
          const leftOut = leftOutOf(message.uris.length);
          if (leftOut !== "") this.#refuseAlso(place, leftOut);
          for (const uri of message.uris.slice(0, MOST_DROPPED)) {
            await this.#add(place, await droppedContent(uri, { connection, dist, reading: this.#reading(asks) }));
          }
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

  /** Adds what the terminal in front shows, or what `isSelected` in it. */
  async addTerminal(isSelected: boolean, session: Session): Promise<void> {
    const place = placeIn(session);
    await this.#adding(session, async () => {
      const read = await terminalContent(isSelected);
      await this.#add(place, read.ok ? ok([read.value]) : read);
    });
  }

  /** Resolves when all that the user added so far is added, was refused, or takes too long. */
  async added(): Promise<void> {
    await Promise.all([this.#pasting, this.#beingAdded.settled()]);
  }

  async #find(requestId: number, query: string): Promise<void> {
    this.#searching.abort();
    const search = new AbortController();
    this.#searching = search;
    const mentions = await this.#finder.find(query, search.signal);
    if (search.signal.aborted) return;
    this.#found.clear();
    const views = mentions.map((mention, index) => {
      const mentionId = `${String(requestId)}-${String(index)}`;
      this.#found.set(mentionId, mention);
      return { mentionId, kind: mention.kind, label: mention.label, description: mention.description };
    });
    this.#views.post({ kind: "mentions", requestId, mentions: views });
  }

  /** A message, and the closing of its conversation, wait for what `add` does; the closing waits for no answer of the user. */
  async #adding(session: Session, add: (asks: Asks) => Promise<void>): Promise<void> {
    let pause = (): void => undefined;
    const expect = (): void => {
      session.composer.attachments.expect(Promise.race([adding, new Promise<void>((resolve) => (pause = resolve))]));
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

  #reading(asks: Asks): Reading {
    return { tools: this.#tools.ofConversation(), cancel: new AbortController().signal, asks };
  }

  async #add(place: Place, read: Result<readonly AddedPart[], string>): Promise<void> {
    if (!read.ok) {
      if (read.error !== "") this.#refuseAlso(place, read.error);
      return;
    }
    for (const part of read.value) {
      const added = await place.session.composer.attachments.add(part, undefined, place.after);
      if (!added.ok) this.#notAdded(place, part, added.error);
    }
  }

  #notAdded(place: Place, part: AddedPart, why: NotAdded): void {
    if (why === "tooMany") this.#refuseAlso(place, localize("50 things are added already: that is the most."));
    else if (why === "tooLarge")
      this.#refuseAlso(place, localize("Together that is more than 25 MB. Take something away first."));
    else if (why === "closed") {
      // The chat shows another conversation by now, or is about to.
      const name = attachmentView(part, "", null)?.label ?? "";
      void vscode.window.showWarningMessage(localize("{0} could not be read, so it was not added.", name));
    } else this.#presenter.showBanner(explain(why, ""));
  }

  /** Says why a thing was not added, behind what was said of others of the same list; each reason once. */
  #refuseAlso({ reasons }: Place, reason: string): void {
    const all = [...reasons.add(reason)];
    const more = all.length - MOST_REASONS;
    this.refuse([...all.slice(0, MOST_REASONS), ...(more > 0 ? [localize("{0} more", more)] : [])].join(" "));
  }

  /** Says that there is nothing that it could be added to, or nothing to add. */
  refuse(text = localize("This cannot be added here.")): void {
    this.#presenter.showBanner({ tone: "warning", text, actions: [] });
  }
}

function placeIn(session: Session): Place {
  return { session, after: session.composer.attachments.messagesWaiting, reasons: new Set() };
}

/** What is said where so many things are to be added at a time; empty where they all can be. */
function leftOutOf(count: number): string {
  const more = count - MOST_DROPPED;
  return more <= 0
    ? ""
    : plural(
        more,
        "{1} at a time is the most that can be added; 1 was left out.",
        "{1} at a time is the most that can be added; {0} were left out.",
        MOST_DROPPED,
      );
}
