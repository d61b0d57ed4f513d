/** The few ways in which a command begins: in the chat, with a conversation, with the keyboard back in the composer. */

import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import type { CommandServices } from "./commandServices.ts";

/**
 * What one command does; `context` is what the editor says of where it was asked for, such as a row of the chat. What it
 * throws is a bug.
 */
export type CommandRun = (services: CommandServices, context?: unknown) => unknown;

/** Brings the chat to the front first. */
export function inFront(run: CommandRun): CommandRun {
  return async (services, context) => {
    await services.window.views.reveal();
    await run(services, context);
  };
}

/** Needs a conversation, and says so in the chat where none is open. */
export function inChat(run: (session: Session, services: CommandServices, context?: unknown) => unknown): CommandRun {
  return inFront(async (services, context) => {
    const { session } = services.conversations;
    if (session !== undefined) await run(session, services, context);
    else await say(services, localize("That needs an open conversation."));
  });
}

/** Has the user set up who answers; where that is somebody else then, the way on is a message. */
export function connecting(setUp: CommandRun): CommandRun {
  return inFront(async (services) => {
    const { conversations, keyboard } = services;
    const before = conversations.session?.connection;
    await setUp(services);
    if (conversations.session?.connection !== before) keyboard.leadToComposer();
  });
}

/** Says in the chat why a command did nothing. */
export async function say({ window, presenter }: CommandServices, text: string): Promise<void> {
  await window.views.reveal();
  presenter.showBanner({ tone: "info", text, actions: [] });
}
