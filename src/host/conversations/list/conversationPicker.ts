/**
 * "Forge: Open Conversation": all conversations in a native picker. Typed text filters titles at once and searches all
 * messages after a pause. Buttons act on a conversation and return to the list.
 */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { haveProjectInCommon } from "../../../core/history/project.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import { localize } from "../../../protocol/localize.ts";
import type { BugReporter } from "../../editor/bugReporter.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import type { ChatViews } from "../../view/chatViews.ts";
import type { Conversations } from "../conversations.ts";
import { OpenProjects } from "../../tools/git/openProjects.ts";
import { reactivateItem } from "../../editor/boxes/reactivateItem.ts";
import { deleteConversation } from "../remove/deleteConversation.ts";
import { pickFromTrash } from "../remove/trashPicker.ts";
import type { ListingServices } from "./changeListing.ts";
import { BUTTONS, listLines, MOST_LINES, type ListLine } from "./listLines.ts";
import { askForTitle, changeOrWarn } from "./renameConversation.ts";
import { rescueInChat } from "../rescue/rescueInChat.ts";
import { inList } from "../../editor/boxes/inList.ts";
import { findEverywhere } from "./everywherePicker.ts";
import { LiveSearch } from "./liveSearch.ts";
import { openAtHit } from "./openAtHit.ts";

type Choice =
  | { readonly kind: "new" | "trash" }
  | { readonly kind: "everywhere"; readonly query: string }
  | { readonly kind: "rescue"; readonly id: ConversationId }
  | { readonly kind: "open"; readonly id: ConversationId; readonly hit: SearchHit | undefined; readonly query: string };

const EVERYWHERE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("search"),
  tooltip: localize("Find in All Conversations…"),
};

const THIS_PROJECT: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("folder"),
  tooltip: localize("Show those of this project only"),
};
const ALL_PROJECTS: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("folder-active"),
  tooltip: localize("Show the conversations of all projects"),
};

/** Opens the picked conversation, at its best hit if it has one. */
export async function pickConversation(
  conversations: Conversations,
  views: Pick<ChatViews, "focus" | "focusAndPost">,
  keyboard: CommandFocus,
  dist: string,
  bugs: BugReporter,
): Promise<void> {
  const picker = new ConversationPicker({ conversations, dist }, bugs);
  const picking = picker.pick().then((choice) => {
    moveKeyboard(choice, views, keyboard);
    return choice;
  });
  const choice = await picking;
  switch (choice?.kind) {
    case undefined:
      return;
    case "trash":
      return pickFromTrash(conversations, keyboard);
    case "new":
      return conversations.openNew();
    case "rescue":
      return rescueInChat(conversations, choice.id);
    case "everywhere":
      return findEverywhere(choice.query, conversations, views, keyboard, bugs);
    case "open":
      return openAtHit(choice, conversations, views);
  }
}

/** Moves the focus before the choice is executed, which may take a while. */
function moveKeyboard(choice: Choice | undefined, views: Pick<ChatViews, "focus">, keyboard: CommandFocus): void {
  if (choice?.kind === "trash" || choice?.kind === "everywhere") return; // shows another picker
  if (choice === undefined || (choice.kind === "open" && choice.hit !== undefined)) keyboard.afterPrompt();
  else views.focus();
}

class ConversationPicker {
  readonly #services: ListingServices;
  readonly #conversations: Conversations;
  readonly #bugs: BugReporter;
  readonly #picker = vscode.window.createQuickPick<ListLine>();
  #listings: readonly ConversationListing[] = [];
  #trashedCount = 0;
  #showsArchive = false;
  readonly #search: LiveSearch;
  /** True while another box covers the picker: its hiding is no dismissal. */
  #isCovered = false;

  constructor(services: ListingServices, bugs: BugReporter) {
    this.#services = services;
    this.#conversations = services.conversations;
    this.#bugs = bugs;
    this.#search = new LiveSearch(services.conversations, bugs);
    this.#search.onDidChange(() => {
      this.#picker.busy = this.#search.isRunning;
      this.#draw();
    });
    this.#showScope();
    this.#picker.placeholder = localize("Search titles and everything that was said");
    this.#picker.matchOnDescription = true;
    this.#picker.keepScrollPosition = true;
  }

  /** `undefined`: the user dismissed the picker. */
  async pick(): Promise<Choice | undefined> {
    try {
      await this.#load();
      return await this.#choice();
    } finally {
      this.#search.stop();
      this.#picker.dispose();
    }
  }

  #choice(): Promise<Choice | undefined> {
    const picker = this.#picker;
    return new Promise((resolve, reject) => {
      picker.onDidHide(() => {
        if (!this.#isCovered) resolve(undefined);
      });
      picker.onDidChangeValue(() => {
        this.#search.type(picker.value, this.#listings);
        picker.busy = this.#search.isRunning;
        if (this.#listings.length > MOST_LINES) this.#draw(); // titles without a line so far
      });
      picker.onDidTriggerButton((button) => {
        if (button === EVERYWHERE) resolve({ kind: "everywhere", query: picker.value });
        else this.#switchScope().catch(reject);
      });
      picker.onDidAccept(() => {
        const choice = this.#choiceOf(picker.selectedItems[0]);
        if (choice !== undefined) resolve(choice);
      });
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (!("listing" in item)) return;
        if (button === BUTTONS.rescue) resolve({ kind: "rescue", id: item.listing.id });
        else this.#press(item.listing, button).catch(reject);
      });
      picker.show();
    });
  }

  #choiceOf(line: ListLine | undefined): Choice | undefined {
    if (line === undefined) return undefined;
    if ("listing" in line) {
      const { id } = line.listing;
      return { kind: "open", id, hit: this.#search.hits.get(id)?.[0], query: this.#picker.value };
    }
    if (!("fixed" in line) || line.fixed === "note") return undefined;
    if (line.fixed !== "archive") return { kind: line.fixed };
    this.#showsArchive = true;
    this.#draw();
    return undefined;
  }

  async #press(listing: ConversationListing, button: vscode.QuickInputButton): Promise<void> {
    if (button === BUTTONS.delete) await deleteConversation(listing, this.#conversations, this.#bugs);
    else if (button === BUTTONS.rename) {
      const title = await this.#whileCovered(() => askForTitle(listing.meta?.title ?? ""));
      if (title !== undefined) await changeOrWarn(listing, { title }, this.#services);
    } else if (button === BUTTONS.pin || button === BUTTONS.unpin)
      await changeOrWarn(listing, { isPinned: button === BUTTONS.pin }, this.#services);
    else if (button === BUTTONS.recall) await changeOrWarn(listing, { isLeftOut: false }, this.#services);
    else await changeOrWarn(listing, { isArchived: button === BUTTONS.archive }, this.#services);
    const isSame = (line: ListLine): boolean => "listing" in line && line.listing.id === listing.id;
    const at = this.#picker.items.findIndex(isSame);
    await this.#load();
    reactivateItem(this.#picker, { at, isSame });
  }

  async #whileCovered<T>(ask: () => Promise<T>): Promise<T> {
    this.#isCovered = true;
    try {
      return await ask();
    } finally {
      this.#picker.show();
      this.#isCovered = false;
    }
  }

  async #switchScope(): Promise<void> {
    const conversations = this.#conversations;
    conversations.isListOfProject = !conversations.isListOfProject;
    this.#showScope();
    await this.#load();
    this.#search.type(this.#picker.value, this.#listings);
  }

  #showScope(): void {
    const { isListOfProject } = this.#conversations;
    const hasProject = (vscode.workspace.workspaceFolders ?? []).length > 0;
    const scope = isListOfProject ? ALL_PROJECTS : THIS_PROJECT;
    this.#picker.buttons = hasProject ? [scope, EVERYWHERE] : [EVERYWHERE];
    this.#picker.title =
      isListOfProject && hasProject
        ? localize("Forge: Conversations of This Project")
        : localize("Forge: Conversations");
  }

  async #load(): Promise<void> {
    const conversations = this.#conversations;
    this.#picker.busy = true;
    const listings = await conversations.listForSearch();
    const open = conversations.isListOfProject ? await new OpenProjects().current() : [];
    const current = conversations.session?.opened.id;
    this.#listings =
      open.length === 0
        ? listings
        : listings.filter(({ id, meta }) => id === current || haveProjectInCommon(meta?.projects ?? [], open));
    this.#draw();
    const trashedCount = (await conversations.list("trash")).length;
    this.#picker.busy = false;
    if (trashedCount === this.#trashedCount) return;
    this.#trashedCount = trashedCount;
    this.#draw();
  }

  #draw(): void {
    const content = {
      listings: this.#listings,
      trashedCount: this.#trashedCount,
      current: this.#conversations.session?.opened.id,
      showsArchive: this.#showsArchive,
      query: this.#picker.value,
      hits: this.#search.hits,
      gaps: this.#search.gaps,
    };
    this.#picker.items = inList(listLines(content, Date.now()));
  }
}
