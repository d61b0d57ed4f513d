/** Erasing for good, each time after a question that names what will be gone. */

import * as vscode from "vscode";
import type { ConversationListing } from "../adapters/node/conversationFolders.ts";
import { eraseConversation, eraseTrash } from "../adapters/node/trash.ts";
import { reasonOf, type DeletingWorld } from "./deleteConversation.ts";
import { titleOf } from "./listedConversations.ts";

const ERASE = "Erase for Good";

/** Asks, and erases a conversation that lies in the trash. */
export async function eraseListed(listing: ConversationListing): Promise<void> {
  const name = `“${titleOf(listing)}”`;
  const content =
    listing.meta === undefined ? "Everything that was said in it" : `Its ${messages(listing.meta.messageCount)}`;
  const detail = `${content}, its summaries and its files leave this disk. This can not be undone.`;
  if (!(await isConfirmed(`Erase ${name} for good?`, detail))) return;
  const erased = await eraseConversation(listing.folder);
  if (!erased.ok) void vscode.window.showWarningMessage(`${name} was not erased: ${reasonOf(erased.error)}.`);
}

/** Asks, and erases all conversations that lie in the trash. */
export async function eraseWholeTrash({ conversations }: DeletingWorld): Promise<void> {
  const { length } = await conversations.list("trash");
  const what = length === 1 ? "the conversation" : `all ${length} conversations`;
  const detail = "Everything that was said in the trash, with all files, leaves this disk. This can not be undone.";
  if (!(await isConfirmed(`Erase ${what} in the trash for good?`, detail))) return;
  const erased = await eraseTrash(conversations.places.trash);
  if (erased.ok) return;
  const left = (await conversations.list("trash")).length;
  void vscode.window.showWarningMessage(
    `${left === 1 ? "1 conversation" : `${left} conversations`} could not be erased: ${reasonOf(erased.error)}.`,
  );
}

async function isConfirmed(question: string, detail: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, ERASE)) === ERASE;
}

function messages(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
