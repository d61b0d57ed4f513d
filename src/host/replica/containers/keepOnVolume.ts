/** Shows the lines that keep conversations on a volume of the dev container, and inserts them if the user says so. */

import * as vscode from "vscode";
import { localize } from "../../../protocol/localize.ts";
import { inList } from "../../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { pathOrName } from "../../tools/workspaceRoots.ts";
import { MOUNT_LINES, planMount } from "./devcontainerMount.ts";

const FILES = "{.devcontainer/devcontainer.json,.devcontainer.json,.devcontainer/*/devcontainer.json}";
const MOST_FILES = 50;

export async function keepOnVolume(): Promise<void> {
  const [insert, copy] = [localize("Insert"), localize("Copy Lines")];
  const found = await vscode.workspace.findFiles(FILES, null, MOST_FILES);
  const question = localize("Keep the conversations of this container on a volume?");
  const answer = await showInformation(
    question,
    { modal: true, detail: detailOf(found.length > 0) },
    ...(found.length > 0 ? [insert, copy] : [copy]),
  );
  if (answer === copy) await copyLines();
  if (answer !== insert) return;
  const file = found.length > 1 ? await chooseFile(found) : found[0];
  if (file !== undefined) await insertInto(file);
}

function detailOf(isFound: boolean): string {
  return [
    isFound
      ? localize("These lines go into devcontainer.json. It is opened, and you save it:")
      : localize("This workspace has no devcontainer.json. These lines belong there:"),
    MOUNT_LINES,
    localize(
      "Once the container is rebuilt, Forge asks for a passphrase and keeps conversations there, encrypted. What was said in this container before goes with that rebuild: export what you need.",
    ),
  ].join("\n\n");
}

async function chooseFile(found: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
  const items = found
    .map((uri) => ({ label: pathOrName(uri), uri }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: localize("Forge: Keep Conversations on a Volume"),
    placeHolder: localize("Which file describes this container?"),
  });
  return picked?.uri;
}

/** Leaves the file unsaved, so that the user sees the change and can undo it. */
async function insertInto(file: vscode.Uri): Promise<void> {
  const name = pathOrName(file);
  const document = await vscode.workspace.openTextDocument(file);
  const plan = planMount(document.getText());
  const edit = new vscode.WorkspaceEdit();
  const insertions = plan.kind === "insert" ? plan.insertions : [];
  for (const { offset, text } of insertions) edit.insert(file, document.positionAt(offset), text);
  const isInserted = plan.kind === "insert" && (await vscode.workspace.applyEdit(edit));
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const [first] = insertions;
  if (isInserted && first !== undefined) editor.revealRange(lineAt(document, first.offset));
  if (isInserted) {
    void showInformation(localize("{0} has the lines now. Save it, then rebuild the container.", name));
  } else if (plan.kind === "there") {
    void showInformation(
      localize("{0} already has the volume. It is there once the container is rebuilt, and Forge finds it.", name),
    );
  } else {
    const copy = localize("Copy Lines");
    const answer = await showWarning(
      localize("{0} cannot be read or changed, so nothing was inserted. Put the lines in by hand.", name),
      copy,
    );
    if (answer === copy) await copyLines();
  }
}

function lineAt(document: vscode.TextDocument, offset: number): vscode.Range {
  const position = document.positionAt(offset);
  return new vscode.Range(position, position);
}

async function copyLines(): Promise<void> {
  await vscode.env.clipboard.writeText(MOUNT_LINES);
  void showInformation(localize("The lines are copied."));
}
