/** The tools that conversations of this window may use, and the user's permanent approvals. */

import * as vscode from "vscode";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { ModelId } from "../../core/ids.ts";
import type { OpenStore } from "../../core/store/conversationStore.ts";
import type { Tool } from "../../core/tools/tool.ts";
import type { UserStorage } from "../editor/userStorage.ts";
import { NEEDS_FOLDER } from "./createEditorTools.ts";
import { RECALL_HISTORY, recallHistory } from "./recallHistory.ts";
import type { ToolAbilities } from "./toolAbilities.ts";
import type { WindowTools } from "./windowTools.ts";
import { workspaceRoots } from "./workspaceRoots.ts";

/** Storage key of the tools that are always allowed. */
const ALWAYS = "forge.tools.always";

const CONVERSATION_TOOLS: ReadonlySet<string> = new Set([RECALL_HISTORY]);

interface ReadableConversation {
  readonly manager: { readonly history: FullHistory };
  readonly store: Pick<OpenStore, "search" | "readMessages">;
}

export class ToolCatalog {
  readonly #storage: UserStorage;
  readonly #tools: WindowTools;
  readonly #abilities: ToolAbilities;

  constructor(storage: UserStorage, tools: WindowTools, abilities: ToolAbilities) {
    this.#storage = storage;
    this.#tools = tools;
    this.#abilities = abilities;
  }

  /** New tools for a conversation that is being opened. */
  of({ manager, store }: ReadableConversation): readonly Tool[] {
    return [recallHistory({ history: manager.history, store }), ...this.#tools.ofConversation()];
  }

  /** The currently registered tools of extensions that the user has enabled. */
  registered(): readonly Tool[] {
    return this.#tools.registered([RECALL_HISTORY]);
  }

  isTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** Whether a tool reads nothing but its own conversation. */
  staysInConversation(name: string): boolean {
    return CONVERSATION_TOOLS.has(name);
  }

  /** Whether a tool can work in this window: most need an open folder. */
  worksHere(name: string): boolean {
    return !NEEDS_FOLDER.has(name) || workspaceRoots().length > 0;
  }

  canCall(model: ModelId): boolean {
    return this.#abilities.canCall(model);
  }

  offerAgain(model: ModelId): void {
    this.#abilities.offerAgain(model);
  }

  /** Names of the tools that need no approval, in any conversation. */
  allowedAlways(): readonly string[] {
    const stored = this.#storage.get(ALWAYS);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }

  async allowAlways(name: string): Promise<void> {
    await this.#storage.update(ALWAYS, [...new Set([...this.allowedAlways(), name])]);
  }

  /** Revokes `allowAlways`. */
  async askAgain(name: string): Promise<void> {
    await this.#storage.update(
      ALWAYS,
      this.allowedAlways().filter((other) => other !== name),
    );
  }
}
