/** What the view says, done. The one place where a bug in something the user did in the view ends. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ViewState } from "../../protocol/toView.ts";
import { CodeHandler } from "../code/codeHandler.ts";
import type { UserCommands } from "../commands/userCommands.ts";
import { ContextActions } from "../context/contextActions.ts";
import { FindInConversation } from "../find/findInConversation.ts";
import { openInEditor, revealMessage } from "../session/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ChatBackend, WaysToViews } from "../view/chatView.ts";
import type { Presenter } from "../session/presenter.ts";
import type { WindowServices } from "../view/windowServices.ts";
import { tellFailure } from "../words/tellFailure.ts";
import type { MessageByKind, MessageServices } from "./messageRun.ts";
import { VIEW_MESSAGES } from "./viewMessages.ts";

/** Stands behind the view. */
export class ChatHandler implements ChatBackend {
  readonly #window: WindowServices;
  readonly #presenter: Presenter;
  readonly #services: MessageServices;

  /** `commands` are those that are asked for in the chat. */
  constructor(commands: UserCommands) {
    const { window, models, conversations, presenter, contextPage, attaching, modelPicker, keyboard } = commands;
    const { folders, tools, documents, views } = window;
    this.#window = window;
    this.#presenter = presenter;
    this.#services = {
      window,
      conversations,
      presenter,
      commands,
      attaching,
      contextActions: new ContextActions(
        contextPage,
        models,
        modelPicker,
        presenter,
        documents,
        views,
        commands,
        keyboard,
      ),
      find: new FindInConversation(openInEditor),
      code: new CodeHandler(folders.dist, tools, documents, views),
    };
  }

  snapshot(): ViewState {
    return this.#presenter.snapshot();
  }

  handle(message: ToHost, ways: WaysToViews): void {
    this.#run(message.kind, message, ways).catch(this.#window.bugs.report);
  }

  reject(fault: string): void {
    this.#window.log.error(`message of the view refused: ${fault}`);
  }

  /** Brings a message into sight, in the pages that are there. */
  reveal(session: Session, messageId: number): void {
    const { bugs, views } = this.#window;
    views.post({ kind: "snapshot", view: this.snapshot() }); // then each page begins with the row asked from
    session.transcript.reading = null; // the reader goes from there
    const before = session.transcript.page.rows[0]?.rowId;
    if (before !== undefined) this.#reveal(session, messageId, before).catch(bugs.report);
  }

  async #reveal(session: Session, messageId: number, before: string): Promise<void> {
    const revealed = await revealMessage(session, { messageId, before }, this.#window.views.post);
    tellFailure(revealed, this.#presenter);
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
