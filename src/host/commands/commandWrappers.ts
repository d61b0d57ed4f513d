/**
 * Wrappers for the preconditions and follow-ups that commands share: visible chat, open conversation, keyboard focus.
 */

import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import type { CommandServices } from "./commandServices.ts";

/**
 * One command; `context` is the editor's menu argument, such as the clicked row of the chat. What it throws is a bug.
 */
export type CommandHandler = (services: CommandServices, context?: unknown) => unknown;

/** Shows the chat first. */
export function withVisibleChat(run: CommandHandler): CommandHandler {
  return async (services, context) => {
    await services.window.views.reveal();
    await run(services, context);
  };
}

/** Needs an open conversation; without one, a message in the chat says so. */
export function withConversation(
  run: (session: Session, services: CommandServices, context?: unknown) => unknown,
): CommandHandler {
  return withVisibleChat(async (services, context) => {
    const { session } = services.conversations;
    if (session !== undefined) await run(session, services, context);
    else await showInfo(services, localize("That needs an open conversation."));
  });
}

/** For commands that set up a provider: when the connection has changed, the focus moves to the composer. */
export function providerSetup(setUp: CommandHandler): CommandHandler {
  return withVisibleChat(async (services) => {
    const { conversations, keyboard } = services;
    const before = conversations.session?.connection;
    await setUp(services);
    if (conversations.session?.connection !== before) keyboard.focusComposer();
  });
}

/** Explains in the chat why a command did nothing, as long as nothing else runs. */
export async function showInfo({ window, presenter, conversations }: CommandServices, text: string): Promise<void> {
  await window.views.reveal();
  const activity = conversations.session?.activity;
  presenter.showBanner({ tone: "info", text, actions: [] }, () => conversations.session?.activity === activity);
}
