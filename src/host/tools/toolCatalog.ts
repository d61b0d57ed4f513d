/** The tools that conversations of this window may use, and what the user has allowed for good. */

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

/** Where the editor keeps the names of the tools that need no question any more. */
const ALWAYS = "forge.tools.always";

/** Tools that read nothing but the conversation. */
const CONVERSATION_TOOLS: ReadonlySet<string> = new Set([RECALL_HISTORY]);

/** A conversation, as far as its tools read it. */
interface ReadableConversation {
  readonly manager: { readonly history: FullHistory };
  readonly store: Pick<OpenStore, "search" | "readMessages">;
}

/** Forge's own tools and those of extensions. */
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

  /** Tools that others have registered in the editor and the user has enabled, as of now. */
  registered(): readonly Tool[] {
    return this.#tools.registered([RECALL_HISTORY]);
  }

  /** Whether the user trusts the folder that is open. */
  isTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** Whether a tool reads nothing but the conversation that it is called in. */
  staysInConversation(name: string): boolean {
    return CONVERSATION_TOOLS.has(name);
  }

  /** Whether a tool can do anything in this window: most need a folder that is open. */
  worksHere(name: string): boolean {
    return !NEEDS_FOLDER.has(name) || workspaceRoots().length > 0;
  }

  /** See {@link ToolAbilities.canCall}. */
  canCall(model: ModelId): boolean {
    return this.#abilities.canCall(model);
  }

  /** See {@link ToolAbilities.offerAgain}. */
  offerAgain(model: ModelId): void {
    this.#abilities.offerAgain(model);
  }

  /** Names of the tools that need no question any more, in any conversation. */
  allowedAlways(): readonly string[] {
    const stored = this.#storage.get(ALWAYS);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }

  /** From now on `name` needs no question. */
  async allowAlways(name: string): Promise<void> {
    await this.#storage.update(ALWAYS, [...new Set([...this.allowedAlways(), name])]);
  }

  /** From now on the user is asked again about `name`. */
  async askAgain(name: string): Promise<void> {
    await this.#storage.update(
      ALWAYS,
      this.allowedAlways().filter((other) => other !== name),
    );
  }
}
