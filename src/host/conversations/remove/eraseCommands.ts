/** Permanent erasure of conversations, after a confirmation that names what is erased. */

import path from "node:path";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { nodeFiles } from "../../../adapters/node/files.ts";
import { folderSize } from "../../../adapters/node/folderSize.ts";
import { forgetLastConversations } from "../../../adapters/node/lastConversations.ts";
import { eraseOldForkFiles } from "../../../adapters/node/crashCleanup.ts";
import { isReplicaSetUp, noteGone } from "../../../adapters/node/replica/goneConversations.ts";
import { eraseConversation, eraseEverything, eraseTrash, type TrashPlaces } from "../../../adapters/node/trash.ts";
import type { ForgeError, StorageFailed } from "../../../core/errors.ts";
import { ok, type Result } from "../../../core/result.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import type { Conversations } from "../conversations.ts";
import { reasonOf } from "./deleteConversation.ts";
import { eraseUnfinishedImports } from "../transfer/importFromFile.ts";
import { titleOf } from "../list/listedConversations.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import type { ModelServices } from "../../connections/modelServices.ts";
import { formatSize } from "../../words/formatting.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { forgetImports } from "../import/knownImports.ts";
import { readKeptPlaces } from "../import/keptPlaces.ts";

const ERASE = localize("Erase for Good");
const ERASE_CONVERSATIONS = localize("Erase Conversations");
const ERASE_ALL = localize("Erase All Data of Forge");
const STAYS_IN_REPLICA = localize(
  "What is kept for your other machines stays there, and this machine no longer takes part. To delete that, too, cancel, and run Forge: Keep Conversations on Several Machines… first.",
);
const KEEPING_ENDS = localize("What other tools write is no longer kept.");
const NO_UNDO = localize("This cannot be undone.");

/** Confirms the erasure of a conversation in the trash. */
export async function confirmErasure(
  listing: ConversationListing,
  { places }: Pick<Conversations, "places">,
): Promise<boolean> {
  const name = localize("“{0}”", titleOf(listing));
  const { meta } = listing;
  const what =
    meta === undefined
      ? localize("Everything that was said in it, its summaries and its files are deleted from this disk.")
      : plural(
          meta.messageCount,
          "Its message, its summaries and its files are deleted from this disk.",
          "Its {0} messages, its summaries and its files are deleted from this disk.",
        );
  const detail = [what, ...elsewhere(places), NO_UNDO].join(" ");
  const answer = await ask(localize("Erase {0} for good?", name), detail, ERASE);
  return answer !== undefined;
}

export async function eraseFromTrash(listing: ConversationListing, { index, places }: Conversations): Promise<void> {
  const noted = await noteGone(storageOf(places), [listing.id]);
  const erased = noted.ok ? await eraseConversation(listing.folder) : noted;
  await index.forget([listing.id]);
  const name = localize("“{0}”", titleOf(listing));
  if (!erased.ok) warn(localize("{0} was not erased: {1}.", name, reasonOf(erased.error)));
}

/** With confirmation. */
export async function emptyTrash(conversations: Conversations, keyboard: CommandFocus): Promise<void> {
  const trashed = await conversations.list("trash");
  const question = plural(
    trashed.length,
    "Erase the conversation in the trash for good?",
    "Erase all {0} conversations in the trash for good?",
  );
  const what = localize("Everything that was said in them, with all files, is deleted from this disk.");
  const answer = await ask(question, [what, ...elsewhere(conversations.places), NO_UNDO].join(" "), ERASE);
  keyboard.afterPrompt();
  if (answer === undefined) return;
  const ids = trashed.map(({ id }) => id);
  const noted = await noteGone(storageOf(conversations.places), ids);
  const erased = noted.ok ? await eraseTrash(conversations.places.trash) : noted;
  await conversations.index.forget(ids);
  if (!erased.ok) warnOfRemaining((await conversations.list("trash")).length, erased.error);
}

/** Of the other machines; nothing if there are none. */
function elsewhere(places: TrashPlaces): readonly string[] {
  return isReplicaSetUp(storageOf(places))
    ? [
        localize(
          "It is deleted from the place that your machines share, too; on the other machines it goes to the trash.",
        ),
      ]
    : [];
}

function storageOf({ trash }: TrashPlaces): string {
  return path.dirname(trash);
}

/** Where other machines have the conversations, too. */
interface ErasableReplica {
  readonly isSetUp: boolean;
  /** Has this machine take no part any more. */
  forget(): Promise<Result<void, StorageFailed>>;
}

/** The editor's memory for Forge, beside its files and secrets. */
interface ErasableMemory {
  keys(): readonly string[];
  update(key: string, value: undefined): Thenable<void>;
}

/**
 * Erases all conversations, including the trash, after a confirmation, which offers to erase all else that Forge has
 * stored, too: what somebody wants who uninstalls it.
 */
export async function askToEraseEverything(
  conversations: Conversations,
  models: Pick<ModelServices, "secrets" | "spending" | "counting">,
  storage: string,
  replica: ErasableReplica,
  memory: ErasableMemory,
): Promise<void> {
  const { secrets } = models;
  const shown = (await conversations.list()).length;
  const trashed = (await conversations.list("trash")).length;
  const sentences = [
    erasedText(shown, trashed),
    localize("Forge's folder {0} has {1}.", storage, formatSize(await folderSize(storage, nodeFiles))),
    NO_UNDO,
    localize("Settings stay as they are."),
    ...(replica.isSetUp ? [STAYS_IN_REPLICA] : []),
    ...((await readKeptPlaces({ storage })).length > 0 ? [KEEPING_ENDS] : []),
    allText(await secrets.count()),
  ];
  const question = localize("Erase everything that was said in Forge?");
  const answer = await ask(question, sentences.join(" "), ERASE_CONVERSATIONS, ERASE_ALL);
  if (answer === undefined) return;
  // First, or what is erased would come back.
  const disconnected = await replica.forget();
  const failure = disconnected.ok ? await eraseAll(conversations, models, storage) : disconnected.error;
  if (answer === ERASE_ALL && disconnected.ok) {
    for (const key of memory.keys()) await memory.update(key, undefined);
    await secrets.forgetAll();
  }
  if (failure !== undefined) {
    warnOfRemaining((await conversations.list()).length + (await conversations.list("trash")).length, failure);
  } else if (answer === ERASE_ALL) {
    void showInformation(localize("All data of Forge is erased. Its settings are left, among your settings."));
  }
}

/** Returns the first failure; the other steps are done nevertheless. */
async function eraseAll(
  conversations: Conversations,
  { spending, counting }: Pick<ModelServices, "spending" | "counting">,
  storage: string,
): Promise<ForgeError | undefined> {
  const { places } = conversations;
  const done = await conversations.whileClosed("any", async () => {
    const steps = [
      await forgetImports({ storage }), // before the conversations: what is kept of other tools would come anew
      await eraseEverything(places),
      await conversations.index.erase(),
      await eraseUnfinishedImports(places.conversations),
      await eraseOldForkFiles(storage),
      await forgetLastConversations(storage),
      await spending.forget(),
      await counting.forget(),
    ];
    return ok(steps.find((step) => !step.ok)); // the failure is reported, and a new conversation opened nevertheless
  });
  if (!done.ok) return done.error;
  return done.value?.ok === false ? done.value.error : undefined;
}

/** "“Erase All Data of Forge” deletes 1 API key, too, your approvals of tools, and what Forge remembers of models." */
function allText(keys: number): string {
  return keys === 0
    ? localize("“{0}” also deletes your approvals of tools, and what Forge remembers of models and servers.", ERASE_ALL)
    : plural(
        keys,
        "“{1}” also deletes 1 API key in the secret storage, your approvals of tools, and what Forge remembers of models and servers.",
        "“{1}” also deletes {0} API keys in the secret storage, your approvals of tools, and what Forge remembers of models and servers.",
        ERASE_ALL,
      );
}

/** "2 conversations, and 1 in the trash, with all their files, and the spending records, are deleted from this disk." */
function erasedText(shown: number, trashed: number): string {
  if (shown === 0 && trashed === 0) {
    return localize("No conversations are stored. The spending records are deleted from this disk.");
  }
  if (shown === 0) {
    return plural(
      trashed,
      "1 conversation in the trash with all its files, and the spending records, are deleted from this disk.",
      "{0} conversations in the trash with all their files, and the spending records, are deleted from this disk.",
    );
  }
  return trashed === 0
    ? plural(
        shown,
        "1 conversation with all its files, and the spending records, are deleted from this disk.",
        "{0} conversations with all their files, and the spending records, are deleted from this disk.",
      )
    : plural(
        shown,
        "1 conversation, and {1} in the trash, with all their files, and the spending records, are deleted from this disk.",
        "{0} conversations, and {1} in the trash, with all their files, and the spending records, are deleted from this disk.",
        trashed,
      );
}

async function ask(question: string, detail: string, ...answers: readonly string[]): Promise<string | undefined> {
  return showWarning(question, { modal: true, detail }, ...answers);
}

function warnOfRemaining(left: number, failure: ForgeError): void {
  const reason = reasonOf(failure);
  if (left === 0) warn(localize("Not everything was erased: {0}.", reason));
  else
    warn(
      plural(left, "1 conversation could not be erased: {1}.", "{0} conversations could not be erased: {1}.", reason),
    );
}

function warn(text: string): void {
  void showWarning(text);
}
