/** "Forge: Restore Files": takes back what the conversation's tools changed in files, after a look at it. */

import * as vscode from "vscode";
import type { ChangeSet, UncoveredFile } from "../../core/checkpoints/changeSet.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { MessageId } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import { localize, plural } from "../../protocol/localize.ts";
import type {
  LeftFile,
  LeftReason,
  PreparedRestore,
  RestoredFile,
  WorkspaceContents,
} from "../checkpoints/fileStates.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { forkConversation } from "../conversations/transfer/forkConversation.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { inList } from "../editor/boxes/inList.ts";
import { showInformation } from "../editor/boxes/messages.ts";
import { showPicker } from "../editor/boxes/showPicker.ts";
import { lineOf } from "../pickers/messagePicker.ts";
import type { Session } from "../session/session.ts";
import { workspaceContents } from "../tools/files/workspaceContents.ts";
import { pathOrName } from "../tools/workspaceRoots.ts";
import { contextMenuMessage } from "../view/contextMenuMessage.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ComparedFile } from "../view/readOnlyDocuments.ts";
import type { WindowServices } from "../view/windowServices.ts";
import { busyBanner } from "../words/busyBanner.ts";
import { explain, readOnlyBanner } from "../words/explain.ts";
import { formatDateTime } from "../words/formatting.ts";

export interface RestoreServices {
  readonly presenter: Presenter;
  readonly keyboard: CommandFocus;
  readonly conversations: Pick<Conversations, "openExisting">;
  readonly window: Pick<WindowServices, "folders" | "documents" | "keeper">;
}

/** A question, before which the files are to be as they were, or a restore that is to be taken back. */
type Target = { readonly kind: "turn"; readonly turn: MessageId } | { readonly kind: "undo"; readonly id: number };

type Wish = "files" | "both" | "conversation";

/** `context` names the clicked message; without it, the user chooses among all questions with changes, and restores. */
export async function restoreFiles(session: Session, services: RestoreServices, context: unknown): Promise<void> {
  const { presenter, keyboard, window } = services;
  const { readOnlyReason } = session;
  if (readOnlyReason !== undefined || session.activity !== "idle") {
    const banner =
      readOnlyReason === undefined ? busyBanner(session.run.shownActivity, BUSY_TEXT) : readOnlyBanner(readOnlyReason);
    presenter.showBanner(banner, () => session.readOnlyReason !== undefined || session.activity !== "idle");
    return;
  }
  const { fileStates, manager } = session.opened;
  const workspace = workspaceContents(window.folders.dist);
  const settled = await withProgress(() => window.keeper.settleCommands(session.opened));
  if (!settled.ok) {
    presenter.showBanner(explain(settled.error, ""));
    return;
  }
  const clicked = contextMenuMessage(context, session);
  const picked: Result<Target | undefined, StorageFailed> =
    clicked === undefined ? await pickTarget(session) : ok({ kind: "turn", turn: manager.history.entry(clicked).turn });
  const failed = (error: StorageFailed): void => presenter.showBanner(explain(error, ""));
  if (!picked.ok) {
    failed(picked.error);
    return;
  }
  const target = picked.value;
  if (target === undefined) {
    keyboard.afterPrompt();
    return;
  }
  const prepared = await withProgress(() =>
    target.kind === "turn"
      ? fileStates.prepareRestore(target.turn, workspace)
      : fileStates.prepareUndo(target.id, workspace),
  );
  if (!prepared.ok) {
    failed(prepared.error);
    return;
  }
  const wish = await pickWish(prepared.value, target, window);
  keyboard.afterPrompt();
  if (wish === undefined) return;
  if (wish !== "conversation") await restore(session, prepared.value, workspace, services);
  if (wish !== "files" && target.kind === "turn") await forkBefore(session, target.turn, services);
}

const BUSY_TEXT = localize("Files are restored once this answer has ended. Stop it, or try again.");
const TITLE = localize("Forge: Restore Files");

interface TargetItem extends vscode.QuickPickItem {
  readonly target: Target;
}

/** Newest first. */
async function pickTarget(session: Session): Promise<Result<Target | undefined, StorageFailed>> {
  const { fileStates, store } = session.opened;
  const sets = await fileStates.list();
  if (!sets.ok) return sets;
  const turns = new Map<MessageId, ChangeSet[]>();
  const items: TargetItem[] = [];
  for (const set of sets.value) {
    if (set.cause.kind === "restore") {
      const { changes, id, atMs } = set;
      const label = localize("Undo the restore of {0}", formatDateTime(atMs));
      if (changes.length > 0)
        items.push({ label: `$(discard) ${label}`, detail: namesOf(changes), target: { kind: "undo", id } });
      continue;
    }
    const its = turns.get(set.turn) ?? [];
    turns.set(set.turn, [...its, set]);
  }
  const questions = await store.readMessages([...turns.keys()]);
  if (!questions.ok) return questions;
  for (const { entry, message } of questions.value) {
    const its = turns.get(entry.id) ?? [];
    items.push({
      label: `$(history) ${lineOf(searchText(message))}`,
      description: formatDateTime(its[0]?.atMs ?? 0),
      detail: namesOf(its.flatMap(({ changes }) => changes)),
      target: { kind: "turn", turn: entry.id },
    });
  }
  if (items.length === 0) {
    await vscode.window.showQuickPick(inList([{ label: `$(check) ${NOTHING_CHANGED}` }]), { title: TITLE });
    return ok(undefined);
  }
  const picker = vscode.window.createQuickPick<TargetItem>();
  picker.title = TITLE;
  picker.placeholder = localize("Files as they were before this question");
  picker.items = inList(items.toReversed());
  return ok((await showPicker(picker))?.target);
}

const NOTHING_CHANGED = localize("No tool changed a file in this conversation.");
const MOST_NAMES = 4;

function namesOf(files: readonly { readonly file: string }[]): string {
  const names = [...new Set(files.map(({ file }) => nameOf(file)))];
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return rest <= 0 ? shown : plural(rest, "{1} and 1 more", "{1} and {0} more", shown);
}

function nameOf(file: string): string {
  return pathOrName(vscode.Uri.parse(file));
}

interface WishItem extends vscode.QuickPickItem {
  readonly wish?: Wish | "show";
  readonly file?: string;
}

/** Shows what would change, each file as a diff on demand, until the user has decided. */
async function pickWish(
  prepared: PreparedRestore,
  target: Target,
  { documents }: RestoreServices["window"],
): Promise<Wish | undefined> {
  const { files, left, uncovered } = prepared;
  const isTurn = target.kind === "turn";
  const count = files.length;
  const stays = [
    ...left.map((each) => ({ file: each.file, why: LEFT_WORDS[each.why] })),
    ...uncovered.map(({ file, why }) => ({ file, why: UNCOVERED_WORDS[why] })),
  ];
  const label = plural(count, "Restore 1 file", "Restore {0} files");
  const items: WishItem[] = [
    ...(count === 0
      ? []
      : [
          { label: `$(discard) ${label}`, wish: "files" as const },
          ...(isTurn
            ? [
                {
                  label: `$(repo-forked) ${localize("{0}, and fork the conversation before it", label)}`,
                  wish: "both" as const,
                },
              ]
            : []),
          { label: `$(diff-multiple) ${localize("Show all changes")}`, wish: "show" as const },
        ]),
    ...(isTurn
      ? [{ label: `$(repo-forked) ${localize("Only fork the conversation before it")}`, wish: "conversation" as const }]
      : []),
    ...(count === 0 ? [] : [{ label: localize("Files that change"), kind: vscode.QuickPickItemKind.Separator }]),
    ...files.map(({ file, current, restored }) => ({
      label: `$(diff) ${nameOf(file)}`,
      description:
        restored === undefined ? localize("is deleted") : current === undefined ? localize("is there again") : "",
      file,
    })),
    ...(stays.length === 0
      ? []
      : [{ label: localize("Files that stay as they are"), kind: vscode.QuickPickItemKind.Separator }]),
    ...stays.map(({ file, why }) => ({ label: `$(warning) ${nameOf(file)}`, description: why, file })),
  ];
  for (;;) {
    const picker = vscode.window.createQuickPick<WishItem>();
    picker.title = TITLE;
    picker.placeholder =
      count > 0
        ? localize("Your own changes stay. This can be undone.")
        : stays.length > 0
          ? localize("Nothing can be restored.")
          : localize("All files are as they were.");
    picker.items = inList(items);
    picker.ignoreFocusOut = true;
    const item = await showPicker(picker);
    if (item === undefined) return undefined;
    if (item.wish !== undefined && item.wish !== "show") return item.wish;
    const shown = item.wish === "show" ? files : files.filter(({ file }) => file === item.file);
    if (shown.length > 0) await documents.compareFiles(comparedFiles(shown), COMPARED);
    const conflicts = left.filter(({ file }) => file === item.file).flatMap(comparedConflict);
    if (conflicts.length > 0) await documents.compareFiles(conflicts, COMPARED_CONFLICT);
    if (item.wish === "show") return askBesideChanges(items); // the editor with all changes takes the focus
  }
}

const COMPARED = localize("Files as they would be restored");

/** Asks in a message, which leaves the changes in sight. */
async function askBesideChanges(items: readonly WishItem[]): Promise<Wish | undefined> {
  const wishes = items.flatMap(({ label, wish }) => {
    return wish === undefined || wish === "show" || wish === "conversation"
      ? []
      : [{ title: label.replace(/^\$\([\w-]+\) /, ""), wish }];
  });
  const question = localize("Restore the files as shown? Your own changes stay, and this can be undone.");
  return (await showInformation(question, ...wishes))?.wish;
}

function comparedFiles(files: readonly RestoredFile[]): readonly ComparedFile[] {
  return files.map(({ file, current, restored }) => ({
    uri: vscode.Uri.parse(file),
    before: { name: `${localize("Now")}/${nameOf(file)}`, text: textOf(current) },
    after: { name: `${localize("Restored")}/${nameOf(file)}`, text: textOf(restored) },
  }));
}

const COMPARED_CONFLICT = localize("The file as it was before the changes");

/** None where both are not known. */
function comparedConflict({ file, compared }: LeftFile): readonly ComparedFile[] {
  if (compared === undefined) return [];
  const { current, before } = compared;
  return [
    {
      uri: vscode.Uri.parse(file),
      before: { name: `${localize("Now")}/${nameOf(file)}`, text: textOf(current) },
      after: { name: `${localize("Before")}/${nameOf(file)}`, text: textOf(before) },
    },
  ];
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes ?? new Uint8Array());
}

const LEFT_WORDS: Readonly<Record<LeftReason, string>> = {
  edited: localize("you changed it at the same place"),
  deleted: localize("it was deleted since"),
  created: localize("there is a new one by now"),
  interrupted: localize("a crash interrupted the command that may have changed it"),
  unsaved: localize("it has unsaved changes"),
  unreadable: localize("it cannot be read here"),
  unwritable: localize("it could not be written"),
  lost: localize("what was kept of it is damaged"),
};

const UNCOVERED_WORDS: Readonly<Record<UncoveredFile["why"], string>> = {
  tooLarge: localize("its content was not kept: it was too large"),
  tooMany: localize("its content was not kept: there were too many"),
  unreadable: localize("its content was not kept: it could not be read"),
  unseen: localize("it may have been there before, where git ignored it"),
  meanwhile: localize("you or another conversation changed it while the command ran"),
  full: localize("its content was not kept: the limit of the settings was reached"),
};

async function restore(
  session: Session,
  prepared: PreparedRestore,
  workspace: WorkspaceContents,
  services: RestoreServices,
): Promise<void> {
  const { fileStates, manager } = session.opened;
  const turn = manager.history.lastVisible?.turn;
  if (turn === undefined) return;
  const made = await withProgress(() => fileStates.restore(prepared, turn, workspace));
  if (!made.ok) {
    services.presenter.showBanner(explain(made.error, ""));
    return;
  }
  const { id, restored, failed } = made.value;
  const left = [...prepared.left, ...failed];
  const undo = localize("Undo");
  void showInformation(restoredText(restored, left), undo).then(async (answer) => {
    if (answer !== undo) return;
    const back = await fileStates.prepareUndo(id, workspace);
    if (back.ok) await restore(session, back.value, workspace, services);
    else services.presenter.showBanner(explain(back.error, ""));
  });
}

export function restoredText(restored: readonly string[], left: readonly LeftFile[]): string {
  const sentences = [
    restored.length === 0
      ? localize("No file was restored.")
      : plural(
          restored.length,
          "1 file is as it was before: {1}.",
          "{0} files are as they were before: {1}.",
          namesOf(restored.map((file) => ({ file }))),
        ),
    ...left.map(({ file, why }) => localize("{0} stays as it is: {1}.", nameOf(file), LEFT_WORDS[why])),
  ];
  return sentences.join(" ");
}

/** A new conversation with everything before the question, which is opened; this one stays. */
async function forkBefore(
  session: Session,
  turn: MessageId,
  { window, conversations, presenter }: RestoreServices,
): Promise<void> {
  const last = session.opened.manager.history.branches.parentOf(turn);
  if (last === undefined) {
    await vscode.commands.executeCommand("forge.newConversation");
    return;
  }
  const fork = await forkConversation(session, last, window.folders);
  if (fork.ok) await conversations.openExisting(fork.value);
  else presenter.showBanner(explain(fork.error, ""));
}

function withProgress<T>(work: () => Promise<T>): Promise<T> {
  return Promise.resolve(vscode.window.withProgress({ location: { viewId: "forge.chat" } }, work));
}
