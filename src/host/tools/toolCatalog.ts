/** The tools that conversations of this window may use, and the user's permanent approvals. */

import * as vscode from "vscode";
import type { ContextManager } from "../../core/context/contextManager.ts";
import { messageId, type ConversationId, type ModelId } from "../../core/ids.ts";
import { ok } from "../../core/result.ts";
import type { OpenStore } from "../../core/store/conversationStore.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import type { FileStates } from "../checkpoints/fileStates.ts";
import type { KeepChange } from "../checkpoints/keepChange.ts";
import type { KeptSpace } from "../checkpoints/keptSpace.ts";
import { showWarning } from "../editor/boxes/messages.ts";
import type { UserStorage } from "../editor/userStorage.ts";
import { formatSize } from "../words/formatting.ts";
import { NEEDS_FOLDER } from "./createEditorTools.ts";
import { worksInNoFolder } from "./folderLimits.ts";
import type { OtherConversations } from "./recall/otherConversations.ts";
import { RECALL_HISTORY, recallHistory } from "./recallHistory.ts";
import type { ToolSupport } from "./toolSupport.ts";
import type { WindowTools } from "./windowTools.ts";
import { workspaceRoots } from "./workspaceRoots.ts";

/** Storage key of the tools that are always allowed. */
const ALWAYS_ALLOWED_KEY = "forge.tools.always";

const CONVERSATION_TOOLS: ReadonlySet<string> = new Set([RECALL_HISTORY]);

interface ReadableConversation {
  readonly id: ConversationId;
  readonly manager: Pick<ContextManager, "history" | "sentAs" | "isRecalled">;
  readonly store: Pick<OpenStore, "searchRanked" | "readMessages">;
  readonly fileStates: Pick<FileStates, "keep" | "correct">;
}

export class ToolCatalog {
  readonly #storage: UserStorage;
  readonly #tools: WindowTools;
  readonly #abilities: ToolSupport;
  readonly #others: OtherConversations;
  readonly #space: Pick<KeptSpace, "hasRoom" | "limitBytes">;
  #hasToldOfSpace = false;

  constructor(
    storage: UserStorage,
    tools: WindowTools,
    abilities: ToolSupport,
    others: OtherConversations,
    space: Pick<KeptSpace, "hasRoom" | "limitBytes">,
  ) {
    this.#space = space;
    this.#others = others;
    this.#storage = storage;
    this.#tools = tools;
    this.#abilities = abilities;
  }

  /** New tools for a conversation that is being opened. */
  createConversationTools({ id, manager, store, fileStates }: ReadableConversation): readonly Tool[] {
    return [
      recallHistory(
        {
          id,
          history: manager.history,
          store,
          sentAs: (message) => manager.sentAs(message),
          isRecalled: (message) => manager.isRecalled(message),
        },
        this.#others,
      ),
      ...this.#tools.createConversationTools(this.#keepChangesIn(fileStates, manager)),
    ];
  }

  /** The currently registered tools of extensions that the user has enabled. */
  extensionTools(): readonly Tool[] {
    return this.#tools.extensionTools([RECALL_HISTORY]);
  }

  isTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** True for a tool that reads nothing but its own conversation, without a permission of its own. */
  readsOnlyConversation(name: string): boolean {
    return CONVERSATION_TOOLS.has(name);
  }

  /** Whether a tool can work in this window: most need an open folder. */
  isAvailable(name: string): boolean {
    return !NEEDS_FOLDER.has(name) || workspaceRoots().length > 0;
  }

  /** True for an available tool that works in none of the open folders. */
  isUseless(name: string): boolean {
    return worksInNoFolder(name);
  }

  supportsTools(model: ModelId): boolean {
    return this.#abilities.supportsTools(model);
  }

  noteRefusal(model: ModelId): void {
    this.#abilities.noteRefusal(model);
  }

  forgetRefusal(model: ModelId): void {
    this.#abilities.forgetRefusal(model);
  }

  /** Names of the tools that need no approval, in any conversation. */
  alwaysAllowed(): readonly string[] {
    const stored = this.#storage.get(ALWAYS_ALLOWED_KEY);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }

  async allowAlways(name: string): Promise<void> {
    await this.#storage.update(ALWAYS_ALLOWED_KEY, [...new Set([...this.alwaysAllowed(), name])]);
  }

  /** Revokes `allowAlways`. */
  async revokeAlwaysAllowed(name: string): Promise<void> {
    await this.#storage.update(
      ALWAYS_ALLOWED_KEY,
      this.alwaysAllowed().filter((other) => other !== name),
    );
  }

  /** Changes belong to the question that is being answered. */
  #keepChangesIn(states: ReadableConversation["fileStates"], { history }: Pick<ContextManager, "history">): KeepChange {
    return async (title, file) => {
      const turn = history.lastVisible?.turn ?? messageId(0);
      const hasRoom = this.#space.hasRoom();
      if (!hasRoom) this.#tellOfSpace();
      const [files, uncovered] = hasRoom ? [[file], []] : [[], [{ file: file.file, why: "full" } as const]];
      const kept = await states.keep(turn, { kind: "edit", title }, files, uncovered);
      if (!kept.ok) return kept;
      return ok({ correct: (after) => states.correct(kept.value, hasRoom ? [{ ...file, after }] : []) });
    };
  }

  /** Once in a window. */
  #tellOfSpace(): void {
    if (this.#hasToldOfSpace) return;
    this.#hasToldOfSpace = true;
    const text = localize(
      "{0} of file states are kept, as much as the settings allow, so edits cannot be taken back by “Restore Files” any more.",
      formatSize(this.#space.limitBytes),
    );
    const show = localize("Show Them");
    void showWarning(text, show).then((answer) => {
      if (answer === show) return vscode.commands.executeCommand("forge.keptFileStates");
      return undefined;
    });
  }
}
