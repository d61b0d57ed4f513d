/** What the view says, done. The one place where a bug in something the user did in the view ends. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ViewState } from "../../protocol/toView.ts";
import { CodeHandler, type CodeWorld } from "../code/codeHandler.ts";
import type { Log } from "../editor/log.ts";
import { FindInConversation } from "../find/findInConversation.ts";
import { openInEditor, revealMessage } from "../session/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { ChatBackend, WaysToViews } from "../view/chatView.ts";
import { tellFailure } from "../words/tellFailure.ts";
import type { MessageByKind, MessageWorld } from "./messageRun.ts";
import { VIEW_MESSAGES } from "./viewMessages.ts";

/** What the handler works with. */
export interface ChatHandlerOptions extends Omit<MessageWorld, "find" | "code">, CodeWorld {
  readonly log: Log;
  /** Takes note of what threw. */
  readonly bug: (error: unknown) => void;
}

/** Stands behind the view. */
export class ChatHandler implements ChatBackend {
  readonly #options: ChatHandlerOptions;
  readonly #world: MessageWorld;

  constructor(options: ChatHandlerOptions) {
    this.#options = options;
    this.#world = { ...options, find: new FindInConversation(openInEditor), code: new CodeHandler(options) };
  }

  snapshot(): ViewState {
    return this.#options.presenter.snapshot();
  }

  handle(message: ToHost, ways: WaysToViews): void {
    this.#run(message.kind, message, ways).catch(this.#options.bug);
  }

  reject(fault: string): void {
    this.#options.log.error(`message of the view refused: ${fault}`);
  }

  /** Brings a message into sight, in the pages that are there. */
  reveal(session: Session, messageId: number): void {
    const { bug, emit } = this.#options;
    emit({ kind: "snapshot", view: this.snapshot() }); // then each page begins with the row asked from
    session.transcript.reading = null; // the reader goes from there
    const before = session.transcript.page.rows[0]?.rowId;
    if (before !== undefined) this.#reveal(session, messageId, before).catch(bug);
  }

  async #reveal(session: Session, messageId: number, before: string): Promise<void> {
    const { emit, presenter } = this.#options;
    tellFailure(await revealMessage(session, { messageId, before }, emit), presenter);
  }

  async #run<Kind extends keyof MessageByKind>(
    kind: Kind,
    message: MessageByKind[Kind],
    ways: WaysToViews,
  ): Promise<void> {
    const { session } = this.#world.conversations;
    await VIEW_MESSAGES[kind](message, { world: this.#world, session, ...ways });
  }
}
