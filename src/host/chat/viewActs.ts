/** What the user does in the view with a message, done. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { explain } from "../words/explain.ts";
import { tellFailure } from "../words/tellFailure.ts";
import { forkConversation, type ForkWorld } from "../conversations/forkConversation.ts";
import type { Presenter } from "../session/presenter.ts";
import { revealMessage } from "../session/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { UserCommands } from "../commands/userCommands.ts";

/** What acting works with. */
export interface ViewActsWorld extends ForkWorld {
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  /** Those that are asked for in the chat. */
  readonly commands: UserCommands;
  readonly emit: (body: ToViewBody) => void;
}

/** What the user does with a message. */
export type MessageActToHost = Extract<ToHost, { kind: "messageAct" | "branch" }>;

/** Does it; resolves when it has ended, with the answer where it begins one. */
export async function actOnMessage(message: MessageActToHost, session: Session, world: ViewActsWorld): Promise<void> {
  const { messageId: id } = message;
  switch (message.kind) {
    case "branch": {
      const shown = await session.acts.choose(id, message.step);
      if (shown !== undefined) await reveal(shown, session, world);
      return;
    }
    case "messageAct":
      await messageAct(message.act, id, session, world);
      return;
  }
}

async function messageAct(
  act: Extract<ToHost, { kind: "messageAct" }>["act"],
  id: number,
  session: Session,
  world: ViewActsWorld,
): Promise<void> {
  const { acts } = session;
  switch (act) {
    case "retry":
      return acts.retry(id);
    case "retryWithModel": {
      const before = session.connection;
      await world.commands.run("forge.switchModel");
      if (session.connection !== before) await acts.retry(id);
      return;
    }
    case "pin":
    case "unpin":
      return acts.setPinned(id, act === "pin");
    case "hide":
    case "show":
      return acts.setHidden(id, act === "hide");
    case "summarize":
      return world.commands.run("forge.summarizeContext", { forgeMessage: id });
    case "erase":
      return world.commands.run("forge.eraseMessage", { forgeMessage: id });
    case "fork": {
      if (id >= session.opened.manager.history.length) return;
      const fork = await forkConversation(session, id, world);
      if (fork.ok) await world.conversations.openExisting(fork.value);
      else world.presenter.showBanner(explain(fork.error, ""));
    }
  }
}

/** The way on that was chosen stays in sight; the view has the newest rows now. */
async function reveal(messageId: number, session: Session, { emit, presenter }: ViewActsWorld): Promise<void> {
  const { rows } = session.transcript.page;
  const rowId = `message-${String(messageId)}`;
  const [oldest] = rows;
  if (oldest === undefined || rows.some((row) => row.rowId === rowId)) {
    emit({ kind: "reveal", rowId });
    return;
  }
  const revealed = await revealMessage(session, { messageId, before: oldest.rowId }, emit);
  tellFailure(revealed, presenter);
}
