/** The tools that conversations of this window may use, and the user's permanent approvals. */

import * as vscode from "vscode";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ConversationId, ModelId } from "../../core/ids.ts";
import type { OpenStore } from "../../core/store/conversationStore.ts";
import type { Tool } from "../../core/tools/tool.ts";
import type { UserStorage } from "../editor/userStorage.ts";
import type { ChangeKeeper, KeptConversation } from "./changeKeeper.ts";
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

interface ReadableConversation extends KeptConversation {
  readonly id: ConversationId;
  readonly manager: Pick<ContextManager, "history" | "sentAs" | "isRecalled">;
  readonly store: Pick<OpenStore, "searchRanked" | "readMessages">;
}

export class ToolCatalog {
  readonly #storage: UserStorage;
  readonly #tools: WindowTools;
  readonly #abilities: ToolSupport;
  readonly #others: OtherConversations;
  readonly #keeper: Pick<ChangeKeeper, "keepIn">;

  constructor(
    storage: UserStorage,
    tools: WindowTools,
    abilities: ToolSupport,
    others: OtherConversations,
    keeper: Pick<ChangeKeeper, "keepIn">,
  ) {
    this.#keeper = keeper;
    this.#others = others;
    this.#storage = storage;
    this.#tools = tools;
    this.#abilities = abilities;
  }

  /** New tools for a conversation that is being opened. */
  createConversationTools(conversation: ReadableConversation): readonly Tool[] {
    const { id, manager, store } = conversation;
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
      ...this.#tools.createConversationTools(this.#keeper.keepIn(conversation)),
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
}
