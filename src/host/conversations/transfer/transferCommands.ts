/** "Forge: Export Conversation" and "Forge: Import Conversation". */

import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { parseConversationId } from "../../../core/ids.ts";
import { invariant } from "../../../core/result.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import type { Conversations } from "../conversations.ts";
import { explainExport, explainImport } from "../../words/explainFiles.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import { withDelayedProgress } from "../../editor/boxes/delayedProgress.ts";
import { exportToFile, type ExportFormat } from "./exportToFile.ts";
import { importUntrustedFile } from "./importFromFile.ts";
import type { Presenter } from "../../view/presenter.ts";
import type { Session } from "../../session/session.ts";
import { fileNameOf } from "../../transcript/title.ts";
import { inList } from "../../editor/boxes/inList.ts";

/** Export formats; the user may still type the extension of others, or none. */
const FORMATS = [
  { form: "everything", label: localize("Complete, can be imported again"), ending: "forge.json", filter: ["json"] },
  { form: "markdown", label: localize("Markdown, to be read"), ending: "md", filter: ["md"] },
  {
    form: "anthropic",
    label: localize("Messages in the form of Anthropic's API"),
    ending: "anthropic.json",
    filter: ["json"],
  },
  { form: "openai", label: localize("Messages in the form of OpenAI's API"), ending: "openai.json", filter: ["json"] },
] as const;

/** Exports the open conversation to a file that the user chooses; an existing file is replaced atomically. */
export async function exportConversation(
  session: Session,
  presenter: Pick<Presenter, "showBanner">,
  keyboard: CommandFocus,
): Promise<void> {
  if (session.opened.manager.history.length === 0) {
    const text = localize("Nothing was said in this conversation yet.");
    presenter.showBanner({ tone: "info", text, actions: [] });
    return;
  }
  const chosen = await askForTarget(session);
  keyboard.afterPrompt();
  if (chosen === undefined) return;
  const { form, target } = chosen;
  const file = target.fsPath;
  const exported = await withDelayedProgress(localize("Exporting"), (cancel) =>
    exportToFile(file, session.opened, { form, cancel }),
  );
  if (exported.ok) {
    const text = plural(exported.value, "Exported 1 message to {1}.", "Exported {0} messages to {1}.", file);
    presenter.showBanner({ tone: "info", text, actions: [] });
  } else if (exported.error.error.code !== "CANCELLED") presenter.showBanner(explainExport(exported.error, file));
}

interface ExportTarget {
  readonly target: vscode.Uri;
  readonly form: ExportFormat;
}

async function askForTarget(session: Session): Promise<ExportTarget | undefined> {
  const title = localize("Export Conversation");
  const chosen = await vscode.window.showQuickPick(inList(FORMATS), { title: `Forge: ${title}` });
  if (chosen === undefined) return undefined;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const others = [FORMATS[0], FORMATS[1]].filter(({ filter }) => filter[0] !== chosen.filter[0]);
  const target = await vscode.window.showSaveDialog({
    title,
    filters: Object.fromEntries([chosen, ...others].map(({ label, filter }) => [label, [...filter]])),
    defaultUri: vscode.Uri.joinPath(folder, `${fileNameOf(session.title)}.${chosen.ending}`),
  });
  return target && { target, form: chosen.form };
}

/**
 * Imports a file as a new conversation and opens it, or as several and opens the first. A faulty file changes nothing, and a banner says what is wrong.
 */
export async function importConversation(
  conversations: Conversations,
  presenter: Pick<Presenter, "showBanner">,
  keyboard: CommandFocus,
  { storage, dist }: ForgeFolders,
): Promise<void> {
  const picked = await vscode.window.showOpenDialog({
    title: localize("Import Conversation"),
    filters: { [localize("Conversations of Forge and other tools")]: ["json", "jsonl", "md", "traj"] },
    canSelectMany: false,
  });
  keyboard.afterPrompt();
  const source = picked?.[0];
  if (source === undefined) return;
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is a conversation id");
  const imported = await withDelayedProgress(localize("Importing"), (cancel) =>
    importUntrustedFile({
      file: source.fsPath,
      id,
      root: path.join(storage, "conversations"),
      workerFile: path.join(dist, "storageWorker.cjs"),
      sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
      ranksFolder: path.join(dist, "ranks"),
      cancel,
    }),
  );
  if (imported.ok) {
    await conversations.openExisting(id);
    const count = imported.value.conversations;
    if (count === 1) return;
    const text = plural(count, "Imported 1 conversation.", "Imported {0} conversations.");
    presenter.showBanner({ tone: "info", text, actions: [] });
  } else if (imported.error.error.code !== "CANCELLED")
    presenter.showBanner(explainImport(imported.error, path.basename(source.fsPath)));
}
