/** Erasing for good, each time after a question that names what will be gone. */

import * as vscode from "vscode";
import type { ConversationListing } from "../adapters/node/conversationFolders.ts";
import { forgetLastConversations } from "../adapters/node/lastConversations.ts";
import { eraseConversation, eraseEverything, eraseTrash } from "../adapters/node/trash.ts";
import type { ForgeError } from "../core/errors.ts";
import { ok } from "../core/result.ts";
import type { Conversations } from "./conversations.ts";
import { reasonOf } from "./deleteConversation.ts";
import { eraseUnfinishedImports } from "./importedFile.ts";
import { titleOf } from "./list/listedConversations.ts";
import type { LearnedCounting } from "./learnedCounting.ts";
import type { Secrets } from "./secrets.ts";
import type { Spending } from "./spending.ts";

const ERASE = "Erase for Good";
const ERASE_CONVERSATIONS = "Erase Conversations";
const ERASE_KEYS_TOO = "Erase Conversations and API Keys";
const NO_UNDO = "This can not be undone.";

/** What erasing everything works with. */
export interface ErasingWorld {
  readonly conversations: Conversations;
  readonly secrets: Secrets;
  readonly spending: Pick<Spending, "forget">;
  readonly counting: Pick<LearnedCounting, "forget">;
  /** The extension's own folder. */
  readonly storage: string;
}

/** Asks, and erases a conversation that lies in the trash. */
export async function eraseListed(listing: ConversationListing): Promise<void> {
  const name = `“${titleOf(listing)}”`;
  const { meta } = listing;
  const content = meta === undefined ? "Everything that was said in it" : `Its ${count(meta.messageCount, "message")}`;
  const detail = `${content}, its summaries and its files leave this disk. ${NO_UNDO}`;
  if ((await ask(`Erase ${name} for good?`, detail, ERASE)) === undefined) return;
  const erased = await eraseConversation(listing.folder);
  if (!erased.ok) warn(`${name} was not erased: ${reasonOf(erased.error)}.`);
}

/** Asks, and erases all conversations that lie in the trash. */
export async function eraseWholeTrash({ conversations }: Pick<ErasingWorld, "conversations">): Promise<void> {
  const { length } = await conversations.list("trash");
  const what = length === 1 ? "the conversation" : `all ${count(length, "conversation")}`;
  const detail = `Everything that was said in them, with all files, leaves this disk. ${NO_UNDO}`;
  if ((await ask(`Erase ${what} in the trash for good?`, detail, ERASE)) === undefined) return;
  const erased = await eraseTrash(conversations.places.trash);
  if (!erased.ok) warnOfRest((await conversations.list("trash")).length, erased.error);
}

/** Asks, and erases all conversations, those in the trash too, and with them the API keys when the user says so. */
export async function askToEraseEverything(world: ErasingWorld): Promise<void> {
  const { conversations, secrets } = world;
  const shown = (await conversations.list()).length;
  const trashed = (await conversations.list("trash")).length;
  const keys = await secrets.count();
  const inTrash = trashed === 0 ? "" : `, and ${trashed} in the trash,`;
  const ofKeys =
    keys === 0
      ? ""
      : ` ${count(keys, "API key")} in the secret storage ${keys === 1 ? "stays" : "stay"} unless you erase that, too.`;
  const answer = await ask(
    "Erase everything that was said in Forge?",
    `${count(shown, "conversation")}${inTrash} with all their files, and the notes on what was spent, leave this disk. ${NO_UNDO} Settings stay as they are.${ofKeys}`,
    ERASE_CONVERSATIONS,
    ...(keys === 0 ? [] : [ERASE_KEYS_TOO]),
  );
  if (answer === undefined) return;
  if (answer === ERASE_KEYS_TOO) await secrets.forgetAll();
  const failure = await eraseAll(world);
  if (failure === undefined) return;
  warnOfRest((await conversations.list()).length + (await conversations.list("trash")).length, failure);
}

/** Lets the open conversation go, erases, and begins another; answers why some of it could not be erased. */
async function eraseAll({ conversations, storage, spending, counting }: ErasingWorld): Promise<ForgeError | undefined> {
  const { places } = conversations;
  const done = await conversations.without("any", async () => {
    const steps = [
      await eraseEverything(places),
      await eraseUnfinishedImports(places.conversations),
      await forgetLastConversations(storage),
      await spending.forget(),
      await counting.forget(),
    ];
    return ok(steps.find((step) => !step.ok)); // what is left is told; the open one is gone all the same
  });
  if (!done.ok) return done.error;
  return done.value?.ok === false ? done.value.error : undefined;
}

async function ask(question: string, detail: string, ...answers: readonly string[]): Promise<string | undefined> {
  return vscode.window.showWarningMessage(question, { modal: true, detail }, ...answers);
}

function warnOfRest(left: number, failure: ForgeError): void {
  warn(`${count(left, "conversation")} could not be erased: ${reasonOf(failure)}.`);
}

function warn(text: string): void {
  void vscode.window.showWarningMessage(text);
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
