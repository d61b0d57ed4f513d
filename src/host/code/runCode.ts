/** Runs code of an answer in a terminal, after the user has read and agreed to exactly this. Never by itself. */

import type { CodeToHost } from "../../protocol/toHost.ts";
import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { isolated } from "../../protocol/rightToLeft.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { placeOfUri, type WorkspaceRoot, workspaceRoots } from "../tools/workspaceRoots.ts";
import { userTextEditor } from "./codeInEditor.ts";
import { scriptArguments, shellText, type ShellText } from "./shellText.ts";
import { showWarning } from "../editor/boxes/messages.ts";

/**
 * Asks, and runs the code in the workspace folder of the active file, else in the first one. Resolves when it has
 * started.
 */
export async function runCode(
  { text, language }: Extract<CodeToHost, { kind: "code" }>,
  views: Pick<ChatViews, "restoreFocus">,
): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    await sayUntrusted();
    return;
  }
  const folder = folderToRunIn();
  if (folder === undefined) {
    say(localize("No folder of this machine is open, so no command can run in it."));
    return;
  }
  const read = shellText(text, language);
  if (read.kind !== "command") {
    say(NOT_RUN[read.kind]);
    return;
  }
  const { command } = read;
  const run = localize("Run");
  const question = localize("Run this in a terminal, in {0}?", isolated(onOneLine(folder.name)));
  const answer = await showWarning(question, { modal: true, detail: isolated(command) }, run);
  views.restoreFocus(); // the modal dialog leaves the focus nowhere
  if (answer !== run) return;
  runAsScript(command, folder);
}

/** Shells that replace `!` even in quotes. */
const HISTORY_SHELL = /csh(?:\.exe)?$/i;

const NOT_RUN: Readonly<Record<Exclude<ShellText["kind"], "command">, string>> = {
  empty: localize("There is no command in this code."),
  hidden: localize("This code contains invisible characters, so it is not run."),
  tooLong: localize("This is too long to show in a confirmation. Open it as a new file, and run that yourself."),
};

async function sayUntrusted(): Promise<void> {
  const manage = localize("Manage Trust");
  const words = localize(
    "You do not trust this workspace yet, so nothing is run in it. Copy the command to run it yourself.",
  );
  const answer = await showWarning(words, manage);
  if (answer === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}

function folderToRunIn(): WorkspaceRoot | undefined {
  const inFront = userTextEditor()?.document.uri;
  const ofFile = inFront === undefined ? undefined : placeOfUri(inFront)?.rootIndex;
  const roots = workspaceRoots();
  const own = ofFile === undefined ? undefined : roots[ofFile];
  return [own, ...roots].find((root) => root?.folderPath !== undefined);
}

/**
 * The code is one script of a new shell: typed, a line could be read as input by the one before, and a `!` could be
 * replaced by an old line.
 */
function runAsScript(command: string, folder: WorkspaceRoot): void {
  const shellPath = vscode.env.shell;
  const shellArgs = scriptArguments(shellPath, command);
  if (shellArgs === undefined && HISTORY_SHELL.test(shellPath) && command.includes("!")) {
    say(localize("Your shell would replace “!” by lines of its history, so this is not run."));
    return;
  }
  const options = { name: "Forge", cwd: folder.uri, isTransient: true };
  const terminal = vscode.window.createTerminal(
    shellArgs === undefined ? options : { ...options, shellPath, shellArgs: [...shellArgs] },
  );
  terminal.show(true);
  if (shellArgs === undefined) terminal.sendText(command, true);
}

function say(text: string): void {
  void showWarning(text);
}
