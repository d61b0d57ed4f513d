/** "Forge: Find in All Conversations": every message that has what is typed, by conversation. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize } from "../../../protocol/localize.ts";
import { inList } from "../../editor/boxes/inList.ts";
import type { BugReporter } from "../../editor/bugReporter.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import type { ChatViews } from "../../view/chatViews.ts";
import type { Conversations } from "../conversations.ts";
import { everywhereLines, type EverywhereLine } from "./everywhereLines.ts";
import { LiveSearch } from "./liveSearch.ts";
import { openAtHit, type ChosenConversation } from "./openAtHit.ts";

/** Opens the picked conversation at the picked message, where the chat's search marks the words. */
export async function findEverywhere(
  query: string,
  conversations: Conversations,
  views: Pick<ChatViews, "focusAndPost">,
  keyboard: CommandFocus,
  bugs: BugReporter,
): Promise<void> {
  const choice = await new EverywherePicker(conversations, bugs).pick(query);
  keyboard.afterPrompt();
  if (choice !== undefined) await openAtHit(choice, conversations, views);
}

class EverywherePicker {
  readonly #conversations: Conversations;
  readonly #search: LiveSearch;
  readonly #picker = vscode.window.createQuickPick<EverywhereLine>();
  #listings: readonly ConversationListing[] | undefined;
  /** Query of the hits that are shown. */
  #shown = "";

  constructor(conversations: Conversations, bugs: BugReporter) {
    this.#conversations = conversations;
    this.#search = new LiveSearch(conversations, bugs);
    this.#picker.title = localize("Forge: Find in All Conversations");
    this.#picker.placeholder = localize("Find what was said in any conversation");
    this.#picker.matchOnDescription = true;
    this.#picker.keepScrollPosition = true;
  }

  /** `undefined`: the user dismissed the picker. */
  async pick(query: string): Promise<ChosenConversation | undefined> {
    const picker = this.#picker;
    picker.value = query;
    try {
      const choice = this.#choice();
      picker.busy = true;
      this.#listings = await this.#conversations.listForSearch();
      this.#type();
      return await choice;
    } finally {
      this.#search.stop();
      picker.dispose();
    }
  }

  #choice(): Promise<ChosenConversation | undefined> {
    const picker = this.#picker;
    return new Promise((resolve) => {
      picker.onDidHide(() => {
        resolve(undefined);
      });
      picker.onDidChangeValue(() => {
        this.#type();
      });
      picker.onDidAccept(() => {
        const [line] = picker.selectedItems;
        if (line !== undefined && "hit" in line) resolve({ id: line.id, hit: line.hit, query: this.#shown });
      });
      this.#search.onDidChange(() => {
        this.#draw();
      });
      picker.show();
    });
  }

  #type(): void {
    if (this.#listings === undefined) return; // what is typed until then is searched as soon as they are there
    this.#search.type(this.#picker.value, this.#listings);
    if (this.#search.isRunning) this.#draw();
  }

  /** Hits that arrive leave the active line as it is: a key must not choose what the user did not see. */
  #draw(): void {
    const { query, hits, gaps, isRunning } = this.#search;
    const picker = this.#picker;
    picker.busy = isRunning;
    const [active] = query === this.#shown ? picker.activeItems : [];
    this.#shown = query;
    const current = this.#conversations.session?.opened.id;
    const content = { listings: this.#listings ?? [], current, typed: picker.value, query, hits, gaps };
    picker.items = inList(everywhereLines(content, Date.now()));
    const same = active && picker.items.find((line) => isSameLine(line, active));
    if (same !== undefined) picker.activeItems = [same];
  }
}

function isSameLine(one: EverywhereLine, other: EverywhereLine): boolean {
  if (!("hit" in one) || !("hit" in other)) return false;
  return (
    one.id === other.id && one.shows === other.shows && (one.shows === "conversation" || one.hit.id === other.hit.id)
  );
}
