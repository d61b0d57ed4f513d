/** What the view says, done. The one place where a bug in something the user did in the view ends. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ViewState } from "../../protocol/toView.ts";
import { revealMessage } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ChatBackend, WaysToViews } from "../view/chatView.ts";
import { tellFailure } from "../words/tellFailure.ts";
import type { MessageByKind, MessageServices } from "./messageRun.ts";
import { VIEW_MESSAGES } from "./viewMessages.ts";

/** Stands behind the view. */
export class ChatHandler implements ChatBackend {
  readonly #services: MessageServices;

  constructor(services: MessageServices) {
    this.#services = services;
  }

  snapshot(): ViewState {
    return this.#services.presenter.snapshot();
  }

  handle(message: ToHost, ways: WaysToViews): void {
    this.#run(message.kind, message, ways).catch(this.#services.window.bugs.report);
  }

  reject(fault: string): void {
    this.#services.window.log.error(`message of the view refused: ${fault}`);
  }

  /** Brings a message into sight, in the pages that are there. */
  reveal(session: Session, messageId: number): void {
    const { bugs, views } = this.#services.window;
    views.post({ kind: "snapshot", view: this.snapshot() }); // then each page begins with the row asked from
    session.transcript.reading = null; // the reader goes from there
    const before = session.transcript.page.rows[0]?.rowId;
    if (before !== undefined) this.#reveal(session, messageId, before).catch(bugs.report);
  }

  async #reveal(session: Session, messageId: number, before: string): Promise<void> {
    const { window, presenter } = this.#services;
    tellFailure(await revealMessage(session, { messageId, before }, window.views.post), presenter);
  }

  async #run<Kind extends keyof MessageByKind>(
    kind: Kind,
    message: MessageByKind[Kind],
    ways: WaysToViews,
  ): Promise<void> {
    const services = this.#services;
    const { session } = services.conversations;
    await VIEW_MESSAGES[kind](message, { services, session, ...ways });
  }
}
