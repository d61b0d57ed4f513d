/** Dispatches the messages of all chat pages; bugs thrown while one is handled are reported here and nowhere else. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ViewState } from "../../protocol/toView.ts";
import { revealInAllPages } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ChatBackend, ViewReplies } from "../view/chatView.ts";
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
    const { window, presenter } = this.#services;
    const { bugs, views } = window;
    revealInAllPages(session, messageId, views, presenter).catch(bugs.report);
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
