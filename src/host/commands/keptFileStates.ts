/** "Forge: Kept File States": lists the kept states of files in all conversations, and deletes those that are chosen. */

import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import { CHECKPOINTS, CheckpointFolder } from "../../adapters/node/checkpoints/checkpointFolder.ts";
import type { ChangeSet } from "../../core/checkpoints/changeSet.ts";
import type { ConversationId } from "../../core/ids.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { FileStates } from "../checkpoints/fileStates.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { titleOf } from "../conversations/list/listedConversations.ts";
import { separator } from "../conversations/list/listingItem.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { inList } from "../editor/boxes/inList.ts";
import { showWarning } from "../editor/boxes/messages.ts";
import { pickFromList } from "../editor/boxes/pickFromList.ts";
import type { Presenter } from "../view/presenter.ts";
import { explain } from "../words/explain.ts";
import { formatDateTime, formatSize } from "../words/formatting.ts";

interface StateItem extends vscode.QuickPickItem {
  readonly states: FileStates;
  readonly set: ChangeSet;
}

interface OlderItem extends vscode.QuickPickItem {
  readonly isOlder: true;
}

type Item = StateItem | OlderItem | vscode.QuickPickItem;

/** More are not listed one by one. */
const MOST_ITEMS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = [0, 7, 30, 90, 365] as const;
const DELETE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: localize("Delete") };
const TITLE = localize("Forge: Kept File States");

export async function showKeptStates(
  conversations: Conversations,
  presenter: Presenter,
  keyboard: CommandFocus,
): Promise<void> {
  const choice = await pickFromList<Item, "older">({
    title: TITLE,
    placeholder: localize("Nothing is deleted from here automatically"),
    items: async () => itemsOf(await allStates(conversations, presenter)),
    accept: (item) => ("isOlder" in item ? "older" : undefined),
    press: async (item) => {
      if ("set" in item) await remove(item.states, [item.set], presenter);
      return undefined;
    },
  });
  if (choice === "older") await removeOlder(conversations, presenter);
  keyboard.afterPrompt();
}

interface KeptStates {
  readonly title: string;
  readonly states: FileStates;
  readonly sets: readonly ChangeSet[];
  readonly bytes: number;
}

async function allStates(conversations: Conversations, presenter: Presenter): Promise<readonly KeptStates[]> {
  const all: KeptStates[] = [];
  for (const listing of await conversations.list()) {
    const states = statesOf(listing.id, conversations);
    const [sets, bytes] = [await states.list(), await states.size()];
    if (!sets.ok) presenter.showBanner(explain(sets.error, ""));
    else if (sets.value.length > 0)
      all.push({ title: titleOf(listing), states, sets: sets.value, bytes: bytes.ok ? bytes.value : 0 });
  }
  return all;
}

/** Those of the open conversation must be changed by their one owner. */
function statesOf(id: ConversationId, { session, places }: Conversations): FileStates {
  if (session?.opened.id === id) return session.opened.fileStates;
  return new FileStates(new CheckpointFolder(path.join(places.conversations, id, CHECKPOINTS)), systemClock);
}

function itemsOf(all: readonly KeptStates[]): readonly Item[] {
  if (all.length === 0) return [{ label: `$(check) ${localize("No states of files are kept.")}` }];
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const older: OlderItem = {
    label: `$(trash) ${localize("Delete those older than…")}`,
    description: localize("{0} in all", formatSize(total)),
    isOlder: true,
  };
  const items = all.flatMap(({ title, states, sets }) =>
    sets.map((set): StateItem => {
      const label = set.cause.kind === "restore" ? localize("Restored") : set.cause.title;
      const bytes = set.changes.reduce((sum, { before, after }) => sum + (before?.bytes ?? 0) + (after?.bytes ?? 0), 0);
      const detail = `${formatDateTime(set.atMs)} · ${formatSize(bytes)}`;
      return { label, description: title, detail, states, set, buttons: [DELETE] };
    }),
  );
  const newest = items.sort((one, other) => other.set.atMs - one.set.atMs).slice(0, MOST_ITEMS);
  return [older, separator(), ...newest];
}

async function removeOlder(conversations: Conversations, presenter: Presenter): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    inList(
      DAYS.map((days) => ({
        label: days === 0 ? localize("All") : plural(days, "Older than 1 day", "Older than {0} days"),
        days,
      })),
    ),
    { title: TITLE },
  );
  if (picked === undefined) return;
  const before = systemClock.nowMs() - picked.days * DAY_MS;
  const old = (await allStates(conversations, presenter))
    .map(({ states, sets }) => ({ states, sets: sets.filter(({ atMs }) => atMs <= before) }))
    .filter(({ sets }) => sets.length > 0);
  const count = old.reduce((sum, { sets }) => sum + sets.length, 0);
  if (count === 0) return;
  const yes = localize("Delete");
  const question = plural(count, "Delete 1 kept state of files?", "Delete {0} kept states of files?");
  const detail = localize("The files themselves stay. What is deleted cannot be restored any more.");
  if ((await showWarning(question, { modal: true, detail }, yes)) !== yes) return;
  for (const { states, sets } of old) await remove(states, sets, presenter);
}

async function remove(states: FileStates, sets: readonly ChangeSet[], presenter: Presenter): Promise<void> {
  const removed = await states.remove(new Set(sets.map(({ id }) => id)));
  if (!removed.ok) presenter.showBanner(explain(removed.error, ""));
}
