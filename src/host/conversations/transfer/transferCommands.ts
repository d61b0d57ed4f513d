/** "Forge: Export Conversation". */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { localize, plural } from "../../../protocol/localize.ts";
import { explainExport } from "../../words/explainFiles.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import { withDelayedProgress } from "../../editor/boxes/delayedProgress.ts";
import { exportToFile, type ExportFormat } from "./exportToFile.ts";
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
