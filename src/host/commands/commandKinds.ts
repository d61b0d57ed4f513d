/** The few ways in which a command begins: in the chat, with a conversation, with the keyboard back in the composer. */

import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import type { CommandWorld } from "./commandWorld.ts";

/**
 * What one command does; `context` is what the editor says of where it was asked for, such as a row of the chat. What it
 * throws is a bug.
 */
export type CommandRun = (world: CommandWorld, context?: unknown) => unknown;

/** Brings the chat to the front first. */
export function inFront(run: CommandRun): CommandRun {
  return async (world, context) => {
    await world.reveal();
    await run(world, context);
  };
}

/** Needs a conversation, and says so in the chat where none is open. */
export function inChat(run: (session: Session, world: CommandWorld, context?: unknown) => unknown): CommandRun {
  return inFront(async (world, context) => {
    const { session } = world.conversations;
    if (session !== undefined) await run(session, world, context);
    else await say(world, localize("That needs an open conversation."));
  });
}

/** Has the user set up who answers; where that is somebody else then, the way on is a message. */
export function connecting(setUp: CommandRun): CommandRun {
  return inFront(async (world) => {
    const before = world.conversations.session?.connection;
    await setUp(world);
    if (world.conversations.session?.connection !== before) world.leadToComposer();
  });
}

/** Says in the chat why a command did nothing. */
export async function say(world: CommandWorld, text: string): Promise<void> {
  await world.reveal();
  world.presenter.showBanner({ tone: "info", text, actions: [] });
}
