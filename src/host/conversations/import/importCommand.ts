/** "Forge: Import Conversations…": a file, a folder, or what is in the usual places of other tools. */

import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { localize } from "../../../protocol/localize.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import { withDelayedProgress } from "../../editor/boxes/delayedProgress.ts";
import { inList } from "../../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { Log } from "../../editor/log.ts";
import type { Presenter } from "../../view/presenter.ts";
import { explain } from "../../words/explain.ts";
import { explainImport } from "../../words/explainFiles.ts";
import type { Conversations } from "../conversations.ts";
import type { Importing, ImportSummary } from "./importing.ts";
import {
  faultText,
  importLines,
  listGroups,
  summaryBanner,
  withKept,
  type ImportLine,
  type KeepLine,
} from "./importList.ts";
import type { Keeping } from "./keeping.ts";
import { changeKeptPlaces, readKeptPlaces } from "./keptPlaces.ts";
import type { LoadedImporting } from "./lazyImporting.ts";
import { chosenPlace, usualPlaces, type Machine, type ToolPlace } from "./toolPlaces.ts";

export class ImportCommand {
  readonly #importing: Importing;
  readonly #conversations: Conversations;
  readonly #presenter: Pick<Presenter, "showBanner">;
  readonly #keyboard: CommandFocus;
  readonly #log: Pick<Log, "info">;
  readonly #keeping: Keeping;
  readonly #folders: ForgeFolders;

  constructor(
    { importing, keeping }: LoadedImporting,
    conversations: Conversations,
    presenter: Pick<Presenter, "showBanner">,
    keyboard: CommandFocus,
    { log, folders }: { readonly log: Pick<Log, "info">; readonly folders: ForgeFolders },
  ) {
    this.#importing = importing;
    this.#keeping = keeping;
    this.#folders = folders;
    this.#conversations = conversations;
    this.#presenter = presenter;
    this.#keyboard = keyboard;
    this.#log = log;
  }

  /** Nothing is looked at before the user has said where. */
  async run(): Promise<void> {
    const ways = [
      { label: `$(file) ${localize("Choose a file…")}`, way: "file" },
      { label: `$(folder) ${localize("Choose a folder…")}`, way: "folder" },
      {
        label: `$(search) ${localize("Look in the usual places on this machine…")}`,
        detail: localize(
          "Claude Code, Codex, Gemini CLI, Copilot CLI, Cline, Continue and others; nothing is changed there",
        ),
        way: "usual",
      },
    ] as const;
    const title = localize("Forge: Import Conversations");
    const placeholder = localize("Import conversations of Forge and of other tools");
    const chosen = await vscode.window.showQuickPick(inList(ways), { title, placeHolder: placeholder });
    if (chosen?.way === "file") await this.#importFile();
    else if (chosen?.way === "folder") await this.#importFolder();
    else if (chosen?.way === "usual") await this.#importFrom(usualPlaces(thisMachine()));
    else this.#keyboard.afterPrompt();
  }

  async #importFile(): Promise<void> {
    const picked = await vscode.window.showOpenDialog({
      title: localize("Import Conversations"),
      filters: { [localize("Conversations of Forge and other tools")]: ["json", "jsonl", "md", "traj", "zst", "gz"] },
      canSelectMany: false,
    });
    this.#keyboard.afterPrompt();
    const source = picked?.[0];
    if (source === undefined) return;
    const summary = await this.#import([source.fsPath]);
    if (summary === undefined) return;
    const [failed] = summary.failed;
    const [first] = [...summary.created, ...summary.updated, ...summary.unchanged];
    if (first !== undefined) await this.#conversations.openExisting(first);
    if (failed !== undefined) {
      this.#presenter.showBanner(explainImport(failed.error, path.basename(failed.file)));
      return;
    }
    const isOneNew = summary.created.length === 1 && summary.updated.length + summary.unchanged.length === 0;
    if (summary.left === 0 && !isOneNew) this.#presenter.showBanner(summaryBanner(summary));
  }

  async #importFolder(): Promise<void> {
    const picked = await vscode.window.showOpenDialog({
      title: localize("Import Conversations"),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
    });
    const folder = picked?.[0];
    if (folder === undefined) this.#keyboard.afterPrompt();
    else await this.#importFrom([chosenPlace(folder.fsPath)]);
  }

  async #importFrom(places: readonly ToolPlace[]): Promise<void> {
    const choice = await this.#choose(places);
    const begun = await confirmed(choice?.begun ?? []);
    this.#keyboard.afterPrompt();
    if (choice === undefined) return;
    const { files, stopped } = choice;
    const changesKept = begun.length + stopped.length > 0;
    if (changesKept && !(await changeKeptPlaces(this.#folders, begun, stopped, Date.now()))) {
      void showWarning(localize("A newer Forge has named the folders that are kept. Update Forge to change them."));
      return;
    }
    const summary = files.length === 0 ? undefined : await this.#import(files);
    if (summary !== undefined) this.#presenter.showBanner(withKept(summaryBanner(summary), begun, stopped));
    else if (files.length === 0 && changesKept)
      this.#presenter.showBanner(withKept({ tone: "info", text: "", actions: [] }, begun, stopped));
    if (changesKept) await this.#keeping.start();
  }

  /** `undefined`: dismissed, or there is nothing, which was said. */
  async #choose(places: readonly ToolPlace[]): Promise<Choice | undefined> {
    const found = await withDelayedProgress(localize("Looking for conversations"), (cancel, report) =>
      this.#importing.find(places, cancel, report),
    );
    if (!found.ok) {
      if (found.error.code !== "CANCELLED") this.#presenter.showBanner(explain(found.error, ""));
      return undefined;
    }
    const groups = listGroups(found.value.files, places, found.value.known);
    const kept = await readKeptPlaces(this.#folders);
    if (groups.length + kept.length === 0) {
      const text = localize("No conversations of other tools were found there.");
      this.#presenter.showBanner({ tone: "info", text, actions: [] });
      return undefined;
    }
    const lines = importLines(groups, places, kept);
    const chosen = await vscode.window.showQuickPick(inList(lines.map(asItem)), {
      title: localize("Forge: Import Conversations"),
      placeHolder: localize("Choose what to import or to keep; the files stay as they are"),
      canPickMany: true,
      matchOnDescription: true,
    });
    if (chosen === undefined) return undefined;
    const picked = new Set(chosen.map(({ key }) => key));
    return {
      files: lines.flatMap((line) => (line.kind === "file" && picked.has(line.file) ? [line.file] : [])),
      begun: lines.flatMap((line) =>
        isKeepLine(line) && !line.isPreselected && picked.has(line.key) ? [line.place] : [],
      ),
      stopped: lines.flatMap((line) =>
        isKeepLine(line) && line.isPreselected && !picked.has(line.key) ? [line.place] : [],
      ),
    };
  }

  /** `undefined`: nothing could be imported, which was said. */
  async #import(files: readonly string[]): Promise<ImportSummary | undefined> {
    const imported = await withDelayedProgress(localize("Importing"), (cancel, report) =>
      this.#importing.importAll(files, cancel, report),
    );
    if (imported.ok) {
      for (const { file, error } of imported.value.failed) this.#log.info(`not imported: ${faultText(file, error)}`);
      return imported.value;
    }
    const isElsewhere = imported.error.code === "CONVERSATION_IN_USE";
    const text = localize("Another window is importing. Nothing was changed; import again when it is done.");
    this.#presenter.showBanner(isElsewhere ? { tone: "info", text, actions: [] } : explain(imported.error, ""));
    return undefined;
  }
}

interface Choice {
  readonly files: readonly string[];
  /** To be kept from now on. */
  readonly begun: readonly ToolPlace[];
  readonly stopped: readonly ToolPlace[];
}

function isKeepLine(line: ImportLine): line is KeepLine {
  return line.kind === "keep";
}

function asItem(line: ImportLine): vscode.QuickPickItem & { readonly key: string } {
  if (line.kind === "tool") return { label: line.label, kind: vscode.QuickPickItemKind.Separator, key: "" };
  const { label, description, isPreselected } = line;
  return { label, description, picked: isPreselected, key: line.kind === "file" ? line.file : line.key };
}

/** Asked once more: “all” in the list chooses these lines, too. */
async function confirmed(places: readonly ToolPlace[]): Promise<readonly ToolPlace[]> {
  if (places.length === 0) return places;
  const keep = localize("Keep");
  const folders = places.map(({ folder }) => folder).join("\n");
  const detail = localize(
    "New conversations there are imported in the background, from now on and whenever a window is open. Nothing is changed there. It can be stopped in the same list.",
  );
  const question = localize("Keep what appears in these folders?");
  const chosen = await showInformation(question, { modal: true, detail: `${folders}\n\n${detail}` }, keep);
  return chosen === keep ? places : [];
}

function thisMachine(): Machine {
  const openFolders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === "file" ? [uri.fsPath] : [],
  );
  return { platform: process.platform, home: homedir(), env: process.env, openFolders };
}
