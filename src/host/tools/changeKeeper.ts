/** Keeps the files of this window's folders before tools of its conversations change them. */

import path from "node:path";
import * as vscode from "vscode";
import { CHECKPOINTS } from "../../adapters/node/checkpoints/checkpointFolder.ts";
import { FOLDER_LIMITS } from "../../adapters/node/checkpoints/commandFiles.ts";
import type { ChangeSet } from "../../core/checkpoints/changeSet.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { ChangedMeanwhile } from "../checkpoints/changedMeanwhile.ts";
import { CommandStates } from "../checkpoints/commandStates.ts";
import { commandThread } from "../checkpoints/commandThread.ts";
import type { FileStates } from "../checkpoints/fileStates.ts";
import type { KeepChanges } from "../checkpoints/keepChange.ts";
import type { KeptSpace } from "../checkpoints/keptSpace.ts";
import { showWarning } from "../editor/boxes/messages.ts";
import { formatSize } from "../words/formatting.ts";
import { gitProgram } from "./git/gitExtension.ts";
import { workspaceRoots } from "./workspaceRoots.ts";

export interface KeptConversation {
  readonly folder: string;
  readonly fileStates: FileStates;
  readonly manager: { readonly history: Pick<ContextManager["history"], "lastVisible"> };
}

export class ChangeKeeper implements vscode.Disposable {
  readonly #dist: string;
  readonly #space: Pick<KeptSpace, "hasRoom" | "limitBytes">;
  readonly #meanwhile = new ChangedMeanwhile();
  readonly #commands = new WeakMap<FileStates, CommandStates>();
  readonly #listeners: readonly vscode.Disposable[];
  #hasToldOfSpace = false;

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string, space: Pick<KeptSpace, "hasRoom" | "limitBytes">) {
    this.#dist = dist;
    this.#space = space;
    const note = (...uris: readonly vscode.Uri[]): void => {
      for (const uri of uris) this.#meanwhile.note(uri.toString());
    };
    const { workspace } = vscode;
    this.#listeners = [
      workspace.onDidSaveTextDocument(({ uri }) => {
        note(uri);
      }),
      workspace.onDidSaveNotebookDocument(({ uri }) => {
        note(uri);
      }),
      workspace.onDidCreateFiles(({ files }) => {
        note(...files);
      }),
      workspace.onDidDeleteFiles(({ files }) => {
        note(...files);
      }),
      workspace.onDidRenameFiles(({ files }) => {
        note(...files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]));
      }),
    ];
  }

  /** Changes belong to the question that is being answered. */
  keepIn(conversation: KeptConversation): KeepChanges {
    const { fileStates } = conversation;
    const commands = this.#commandsOf(conversation);
    const turn = (): MessageId => conversation.manager.history.lastVisible?.turn ?? messageId(0);
    return {
      edit: async (title, file) => {
        this.#meanwhile.note(file.file);
        const hasRoom = this.#hasRoom();
        const [files, uncovered] = hasRoom ? [[file], []] : [[], [{ file: file.file, why: "full" } as const]];
        const kept = await fileStates.keep(turn(), { kind: "edit", title }, files, uncovered);
        if (!kept.ok) return kept;
        return ok({ correct: (after) => fileStates.correct(kept.value, hasRoom ? [{ ...file, after }] : []) });
      },
      commandNote: () =>
        this.#space.hasRoom()
          ? localize(
              "“Restore Files” can take back what it changes here, but not files that git ignores or that are over {0}.",
              formatSize(FOLDER_LIMITS.mostFileBytes),
            )
          : localize("“Restore Files” cannot take back what it changes: as much is kept as the settings allow."),
      command: async (title, run) => {
        const roots = workspaceRoots();
        const folders = roots.flatMap(({ folderPath }) => folderPath ?? []);
        if (this.#hasRoom()) return commands.around(turn(), title, folders, run);
        const uncovered = roots.map(({ uri }) => ({ file: uri.toString(), why: "full" as const }));
        const kept = await fileStates.keep(turn(), { kind: "command", title, isInterrupted: false }, [], uncovered);
        return kept.ok ? ok({ result: await run(), kept }) : kept;
      },
    };
  }

  /** See {@link CommandStates.settle}. */
  settleCommands(conversation: KeptConversation): Promise<Result<ChangeSet | undefined, StorageFailed>> {
    return this.#commandsOf(conversation).settle();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  #commandsOf({ folder, fileStates }: KeptConversation): CommandStates {
    const known = this.#commands.get(fileStates);
    if (known !== undefined) return known;
    const files = commandThread(this.#dist, path.join(folder, CHECKPOINTS), gitProgram);
    const commands = new CommandStates(fileStates, files, this.#meanwhile, (root, relative) =>
      vscode.Uri.file(path.join(root, relative)).toString(),
    );
    this.#commands.set(fileStates, commands);
    return commands;
  }

  #hasRoom(): boolean {
    const hasRoom = this.#space.hasRoom();
    if (!hasRoom) this.#tellOfSpace();
    return hasRoom;
  }

  /** Once in a window. */
  #tellOfSpace(): void {
    if (this.#hasToldOfSpace) return;
    this.#hasToldOfSpace = true;
    const text = localize(
      "{0} of file states are kept, as much as the settings allow, so changes cannot be taken back by “Restore Files” any more.",
      formatSize(this.#space.limitBytes),
    );
    const show = localize("Show Them");
    void showWarning(text, show).then((answer) => {
      if (answer === show) return vscode.commands.executeCommand("forge.keptFileStates");
      return undefined;
    });
  }
}
