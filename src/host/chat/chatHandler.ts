/** Dispatches the messages of all chat pages; bugs thrown while one is handled are reported here and nowhere else. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ViewState } from "../../protocol/toView.ts";
import { revealMessage } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ChatBackend, ViewReplies } from "../view/chatView.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import type { MessageByKind, MessageServices } from "./messageHandler.ts";
import { MESSAGE_HANDLERS } from "./messageHandlers.ts";

export class ChatHandler implements ChatBackend {
  readonly #services: MessageServices;

  constructor(services: MessageServices) {
    this.#services = services;
  }

  snapshot(): ViewState {
    return this.#services.presenter.snapshot();
  }

  handle(message: ToHost, ways: ViewReplies): void {
    this.#run(message.kind, message, ways).catch(this.#services.window.bugs.report);
  }

  reject(fault: string): void {
    this.#services.window.log.error(`message of the view refused: ${fault}`);
  }

  /** Scrolls all pages to a message. */
  reveal(session: Session, messageId: number): void {
    const { bugs, views } = this.#services.window;
    views.post({ kind: "snapshot", view: this.snapshot() }); // after it, `before` is the oldest row of all pages
    session.transcript.scrollAnchor = null; // the saved scroll position is obsolete
    const before = session.transcript.page.rows[0]?.rowId;
    if (before !== undefined) this.#reveal(session, messageId, before).catch(bugs.report);
  }

  async #reveal(session: Session, messageId: number, before: string): Promise<void> {
    const { window, presenter } = this.#services;
    showFailureIn(await revealMessage(session, { messageId, before }, window.views.post), presenter);
  }

  async #run<Kind extends keyof MessageByKind>(
    kind: Kind,
    message: MessageByKind[Kind],
    ways: ViewReplies,
  ): Promise<void> {
    const services = this.#services;
    const { session } = services.conversations;
    await MESSAGE_HANDLERS[kind](message, { services, session, ...ways });
  }
}
