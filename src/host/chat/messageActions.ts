/** Actions of the page on one message. */

import { answerParts } from "../../core/history/continuations.ts";
import { messageId } from "../../core/ids.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import { explain } from "../words/explain.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import { forkConversation } from "../conversations/transfer/forkConversation.ts";
import { revealMessage } from "../view/revealMessage.ts";
import type { Session } from "../session/session.ts";
import type { MessageServices } from "./messageHandler.ts";

export type MessageActionToHost = Extract<ToHost, { kind: "messageAction" | "branch" }>;

/** Resolves when the action has ended, including an answer that it starts. */
export async function handleMessageAction(
  message: MessageActionToHost,
  session: Session,
  services: MessageServices,
): Promise<void> {
  const { messageId: id } = message;
  switch (message.kind) {
    case "branch": {
      const shown = await session.actions.showSiblingBranch(id, message.step);
      if (shown !== undefined) await revealBranch(shown, session, services);
      return;
    }
    case "messageAction":
      await messageAction(message.act, id, session, services);
      return;
  }
}

async function messageAction(
  action: Extract<ToHost, { kind: "messageAction" }>["act"],
  id: number,
  session: Session,
  { commands, conversations, presenter, window }: MessageServices,
): Promise<void> {
  const { actions } = session;
  switch (action) {
    case "retry":
      return actions.retry(id);
    case "retryWithModel": {
      const before = session.connection;
      await commands.run("forge.switchModel");
      if (session.connection !== before) await actions.retry(id);
      return;
    }
    case "pin":
    case "unpin":
      return actions.setPinned(id, action === "pin");
    case "hide":
    case "show":
      return actions.setHidden(id, action === "hide");
    case "summarize":
      return commands.run("forge.summarizeContext", { forgeMessage: id });
    case "erase":
      return commands.run("forge.eraseMessage", { forgeMessage: id });
    case "restoreFiles":
      return commands.run("forge.restoreFiles", { forgeMessage: id });
    case "fork": {
      const { history } = session.opened.manager;
      if (id >= history.length) return;
      const last = answerParts(history, messageId(id)).at(-1) ?? id;
      const fork = await forkConversation(session, last, window.folders);
      if (fork.ok) await conversations.openExisting(fork.value);
      else presenter.showBanner(explain(fork.error, ""));
    }
  }
}

/** Keeps the chosen branch in view; the page has the newest rows now. */
async function revealBranch(
  messageId: number,
  session: Session,
  { window, presenter }: MessageServices,
): Promise<void> {
  const { rows } = session.transcript.page;
  const rowId = `message-${String(messageId)}`;
  const [oldest] = rows;
  if (oldest === undefined || rows.some((row) => row.rowId === rowId)) {
    window.views.post({ kind: "reveal", rowId });
    return;
  }
  const revealed = await revealMessage(session, { messageId, before: oldest.rowId }, window.views.post);
  showFailureIn(revealed, presenter);
}
